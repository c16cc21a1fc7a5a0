import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as oauth from "openid-client";
import { describe, expect, it } from "vitest";
import { isOnPostgres } from "../backend.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { approve, beginAt, authorizeProgram, redeem, registerProgram } from "./program.ts";

describe("an authorized program", () => {
  it("can do what was approved, and nothing else", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const tokens = await authorizeProgram(service, program, { scope: "pages:read pages:write", resource: service.url });
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "pages:read pages:write" });
    expect(tokens.access_token).toMatch(/^at_[\w-]{43}$/);
    expect(tokens.refresh_token).toMatch(/^rt_[\w-]{43}$/);
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    const apiKey = tokens.access_token;
    const put = await send("PUT", "/api/pages/hello", { json: { html: "<h1>Hello</h1>" }, apiKey });
    const blogs = await send("GET", "/api/blogs", { apiKey });
    expect([put.status, blogs.status, blogs.body.code]).toEqual([201, 403, "insufficient_scope"]);
  });

  it("is rejected for a cleared scope, and gets the name of the missing scope", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const tokens = await authorizeProgram(service, program, { resource: service.url, approve: ["pages:read"] });
    expect(tokens.scope).toBe("pages:read");
    const send = clientOf(service, { routeSet: "b" });
    const put = await send("PUT", "/api/pages/hello", { json: { html: "<p>" }, apiKey: tokens.access_token });
    expect(put.status).toBe(403);
    expect(put.headers.get("WWW-Authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="pages:write", resource_metadata="${service.url}/.well-known/oauth-protected-resource"`,
    );
  });

  it("gets read scopes if it requests none", async () => {
    const service = await openRunningService();
    const tokens = await authorizeProgram(service, await registerProgram(service), { scope: "" });
    expect(tokens.scope).toContain("pages:read");
    expect(tokens.scope).not.toContain("write");
  });

  it("can never get the scope to manage keys", async () => {
    const service = await openRunningService();
    const tokens = await authorizeProgram(service, await registerProgram(service), {
      scope: "account:read account:write",
    });
    expect(tokens.scope).toBe("account:read");
  });

  it("gets no code if none of its requested scopes can be granted", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), { scope: "account:write" });
    const answer = await (await signIn(service)).get(`${address.pathname}${address.search}`);
    const location = new URL(answer.headers.get("Location") ?? "");
    expect([answer.status, location.searchParams.get("error")]).toEqual([303, "invalid_scope"]);
  });

  it("gets an error in the redirect if the person declines", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const { location, state } = await approve(service, program, { decision: "deny" });
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "access_denied",
      error_description: "the user denied access",
      iss: service.url,
      state,
    });
  });

  it("gets an error if all scopes were cleared", async () => {
    const service = await openRunningService();
    const { location } = await approve(service, await registerProgram(service), { approve: [] });
    expect(location.searchParams.get("error")).toBe("access_denied");
  });

  it("can use a client secret, which isn't stored", async () => {
    const service = await openRunningService();
    const metadata = { token_endpoint_auth_method: "client_secret_post" };
    const tokens = await authorizeProgram(service, await registerProgram(service, metadata));
    expect(tokens.access_token).toMatch(/^at_/);
  });

  it("is rejected with a wrong secret", async () => {
    const service = await openRunningService();
    const metadata = { token_endpoint_auth_method: "client_secret_post" };
    const program = await registerProgram(service, metadata);
    const answered = await approve(service, program);
    const { client_id: clientId } = program.config.clientMetadata();
    const wrong = await oauth.discovery(new URL(service.url), clientId, undefined, oauth.ClientSecretPost("wrong"), {
      algorithm: "oauth2",
      execute: [oauth.allowInsecureRequests],
    });
    await expect(redeem({ ...program, config: wrong }, answered)).rejects.toMatchObject({
      status: 401,
      error: "invalid_client",
    });
  });
});

describe("an authorization code", () => {
  it("works once, and a second use revokes the tokens of the first", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const answered = await approve(service, program, { resource: service.url });
    const tokens = await redeem(program, answered);
    await expect(redeem(program, answered)).rejects.toMatchObject({ error: "invalid_grant" });
    const { status } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", { apiKey: tokens.access_token });
    expect(status).toBe(401);
  });

  it("doesn't work without the verifier", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const answered = await approve(service, program);
    const verifier = oauth.randomPKCECodeVerifier();
    await expect(redeem(program, { ...answered, verifier })).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("expires after a minute", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const service = await openRunningService({ now: () => now });
    const program = await registerProgram(service);
    const answered = await approve(service, program);
    now = new Date("2026-03-01T10:01:01Z");
    await expect(redeem(program, answered)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("goes to at most one of two concurrent requests", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const answered = await approve(service, program);
    const results = await Promise.allSettled([redeem(program, answered), redeem(program, answered)]);
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
  });
});

it.skipIf(isOnPostgres)("no code or token is stored in the database, the log, or the request log", async () => {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const dataDir = await temporaryFolder();
  const logger = { info: note, warn: note, error: note, debug: note };
  const service = await openRunningService({ logger, ephemeral: false, dataDir });
  const program = await registerProgram(service, { token_endpoint_auth_method: "client_secret_basic" });
  const answered = await approve(service, program);
  const tokens = await redeem(program, answered);
  const secrets = [
    tokens.access_token,
    tokens.refresh_token ?? "",
    answered.location.searchParams.get("code") ?? "",
    String(program.config.clientMetadata()["client_secret"]),
  ];
  const stored = await Promise.all(
    ["service.sqlite", "service.sqlite-wal"].map((name) => readFile(join(dataDir, name), "latin1")),
  );
  const everything = `${lines.join("\n")}${JSON.stringify(service.requests())}${stored.join("")}`;
  expect(everything).toContain("Test program");
  expect(secrets.map((secret) => [secret.length > 40, everything.includes(secret)])).toEqual(
    secrets.map(() => [true, false]),
  );
});
