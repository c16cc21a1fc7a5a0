import { expect, it, onTestFinished } from "vitest";
import { ImprintError } from "../../src/base/error.ts";
import { createClient } from "../../src/client.ts";
import { startHost, type Answered } from "./host.ts";

async function openClient(answers: readonly Answered[], tokens: readonly string[]) {
  const host = await startHost((_, count) => answers[Math.min(count, answers.length) - 1] ?? {});
  let asked = 0;
  const api = createClient({
    baseUrl: host.baseUrl,
    routeSet: "a",
    apiKey: tokens[0] ?? "",
    accessToken: async () => tokens[Math.min(asked++, tokens.length - 1)] ?? "",
    maxAttempts: 1,
  });
  onTestFinished(() => api.close());
  return { api, host };
}

const EMPTY_LIST = { body: { data: [], nextCursor: null } };

it("a login sends the current token with each request", async () => {
  const { api, host } = await openClient([EMPTY_LIST], ["at_first-token", "at_second-token"]);
  await api.sites.list();
  await api.sites.list();
  expect(host.received.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer at_first-token",
    "Bearer at_second-token",
  ]);
});

it("a login that the service rejects is reported as such, and not as a wrong key", async () => {
  const { api } = await openClient([{ status: 401, body: {} }], ["at_first-token"]);
  await expect(api.sites.list()).rejects.toMatchObject({
    code: "LOGIN_EXPIRED",
    message: expect.stringContaining("rejected the login"),
    hint: expect.stringContaining("imprint login"),
  });
});

it("an error for a missing scope explains how to get it", async () => {
  const headers = { "www-authenticate": 'Bearer error="insufficient_scope", scope="sites:read"' };
  const { api } = await openClient([{ status: 403, headers, body: {} }], ["at_first-token"]);
  await expect(api.sites.list()).rejects.toMatchObject({
    code: "LOGIN_LIMITED",
    message: expect.stringContaining("The login needs the scope sites:read"),
    hint: expect.stringContaining("imprint login"),
  });
});

it("an error for a scope that no login can have asks for a key", async () => {
  const headers = { "www-authenticate": 'Bearer error="insufficient_scope", scope="account:write"' };
  const { api } = await openClient([{ status: 403, headers, body: {} }], ["at_first-token"]);
  const error: unknown = await api.sites.list().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "LOGIN_LIMITED", hint: expect.stringContaining("IMPRINT_API_KEY") });
  expect(error).not.toMatchObject({ hint: expect.stringContaining("imprint login") });
});

it("no previously used token is in an error, even if the service echoes it", async () => {
  const echo = { status: 422, body: { title: "at_first-token at_second-token" } };
  const { api } = await openClient([EMPTY_LIST, echo], ["at_first-token", "at_second-token"]);
  await api.sites.list();
  const error: unknown = await api.sites.list().catch((thrown: unknown) => thrown);
  const text = error instanceof ImprintError ? `${error.message} ${error.hint}` : "";
  expect(text).toContain("[key] [key]");
});

it("an error while getting a new token ends the call before anything is sent", async () => {
  const host = await startHost(() => EMPTY_LIST);
  const accessToken = () => Promise.reject(new ImprintError("LOGIN_EXPIRED", "It is over."));
  const api = createClient({ baseUrl: host.baseUrl, routeSet: "a", apiKey: "at_first-token", accessToken });
  onTestFinished(() => api.close());
  await expect(api.sites.list()).rejects.toMatchObject({ code: "LOGIN_EXPIRED" });
  expect(host.received).toEqual([]);
});
