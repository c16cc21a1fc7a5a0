import { expect, test } from "vitest";
import { clientOf, openService } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

function keyIn(html: string): string {
  return /imp_\w+/.exec(/id="secret"[^>]*/.exec(html)?.[0] ?? "")?.[0] ?? "";
}

test("a key created in the dashboard is shown once, and grants the selected scopes", async () => {
  const service = openService();
  const { get, post } = await signIn(service);
  const answer = await post("/keys", { name: "CI", reach: "some", "may:pages:read": "on", expiresAt: "" });
  const apiKey = keyIn(await answer.text());
  const list = await (await get("/keys")).text();
  const send = clientOf(service, { routeSet: "a" });
  const read = await send("GET", "/api/pages", { apiKey });
  const write = await send("PUT", "/api/pages/about", { apiKey, json: { html: "<h1>About</h1>" } });
  expect([answer.status, read.status, write.status]).toEqual([201, 200, 403]);
  expect(list).toContain(`…${apiKey.slice(-4)}`);
  expect(list).toContain("pages:read");
  expect(list).not.toContain(apiKey);
});

test("a key without selected scopes has full access until its expiry date", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now });
  const { post } = await signIn(service);
  const answer = await post("/keys", { name: "CI", reach: "all", expiresAt: "2026-03-02" });
  const apiKey = keyIn(await answer.text());
  const send = clientOf(service, { routeSet: "b" });
  now = new Date("2026-03-02T23:59:59Z");
  const last = await send("GET", "/api/account", { apiKey });
  now = new Date("2026-03-03T00:00:00Z");
  const over = await send("GET", "/api/account", { apiKey });
  expect([last.status, over.status]).toEqual([200, 401]);
});

test.for([
  [{ name: "", reach: "all", expiresAt: "" }, "name-error"],
  [{ name: "CI", reach: "some", expiresAt: "" }, "Choose at least one."],
  [{ name: "CI", reach: "all", expiresAt: "2020-01-01" }, "is in the past"],
  [{ name: "CI", reach: "all", expiresAt: "soon" }, "expiresAt-error"],
] as const)("an invalid form is shown again with its input: %j", async ([fields, problem]) => {
  const service = openService();
  const { post } = await signIn(service);
  const answer = await post("/keys", fields);
  const html = await answer.text();
  expect(answer.status).toBe(422);
  expect(html).toContain(problem);
  expect(html).toMatch(new RegExp(`name="name"[^>]*value="${fields.name}"`));
  expect(html).toMatch(new RegExp(`name="expiresAt"[^>]*value="${fields.expiresAt}"`));
});

test("a key is revoked after a confirmation", async () => {
  const service = openService();
  const { id, apiKey } = await service.createKey({ name: "Old" });
  const { get, post } = await signIn(service);
  const send = clientOf(service, { routeSet: "a" });
  const question = await get(`/keys/${id}/revoke`);
  const before = await send("GET", "/api/account", { apiKey });
  const done = await post(`/keys/${id}/revoke`);
  const after = await send("GET", "/api/account", { apiKey });
  expect(await question.text()).toContain("Revoke “Old”?");
  expect([question.status, before.status, done.status, after.status]).toEqual([200, 200, 303, 401]);
  expect(done.headers.get("Location")).toBe("/keys?notice=key-revoked");
  expect(await (await get("/keys")).text()).not.toContain("Old");
});
