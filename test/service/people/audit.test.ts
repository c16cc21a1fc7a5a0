import { expect, it } from "vitest";
import { AUDIT_ACTIONS } from "../../../src/contract/people.ts";
import { followLink, signIn } from "../dashboard/signed-in.ts";
import { clientOf, openRunningService, openService, type Fields } from "../open-service.ts";
import { releaseClientOf } from "../releases/publisher.ts";
import { inviteAs } from "./signed-in-as.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

it("the audit log records who did what, and contains no secret", async () => {
  let time = Date.UTC(2026, 2, 1);
  const service = openService({ now: () => new Date(time++) });
  const send = clientOf(service, { routeSet: "a" });
  const owner = await signIn(service);
  const ada = await inviteAs(service, "owner", "ada@example.org");
  const made = await ada.post("/keys", { name: "CI", reach: "all", expiresAt: "" });
  const apiKey = /value="(imp_[^"]+)"/.exec(await made.text())?.[1] ?? "";
  await send("PUT", "/api/pages/one", { json: { html: "<p>" } });
  await send("DELETE", "/api/pages/one", { apiKey });
  const hook = await send("POST", "/api/webhooks", { json: { url: "https://hooks.example/T0/secret-path" } });
  await send("PATCH", `/api/webhooks/${hook.body.id}`, { json: { rotateSecret: true } });
  await owner.post(`/people/${ada.id}`, { name: "Ada", email: ada.email, role: "editor" });
  await send("DELETE", `/api/users/${ada.id}`);
  await followLink(service, `${service.url}/sign-in?token=${"x".repeat(22)}`);
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  const body = new URLSearchParams({ token: "x".repeat(22), next: "/" });
  await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
  await owner.post("/sign-out");
  const { items, text } = await send("GET", "/api/audit?limit=100");
  const entries = items
    .toReversed()
    .map(({ action, actor, subject, detail }: Fields) => [action, actor, subject, detail]);
  const [running, adaNow] = ["API key of the running service", "Ada (ada@example.org)"];
  const adaThen = "ada (ada@example.org)";
  expect(entries).toEqual([
    ["link.created", "the service", "Owner", null],
    ["sign-in", "Owner", null, null],
    ["user.created", running, adaThen, "owner"],
    ["link.created", running, adaThen, null],
    ["sign-in", adaThen, null, null],
    ["key.created", adaThen, "CI", null],
    ["page.deleted", `${adaThen}, API key CI`, "one", null],
    ["webhook.created", running, "hooks.example", null],
    ["webhook.changed", running, "hooks.example", "new secret"],
    ["user.changed", "Owner", adaNow, "name: ada → Ada, role: owner → editor"],
    ["key.revoked", running, "CI", `of ${adaNow}`],
    ["user.deleted", running, adaNow, null],
    ["sign-in.failed", "the service", null, "The link was used, expired or unknown."],
    ["sign-out", "Owner", null, null],
  ]);
  for (const secret of [apiKey, "token=", "whsec", "secret-path", "imp_dev"]) expect(text).not.toContain(secret);
  const failed = await send("GET", "/api/audit?action=sign-in.failed");
  expect(failed.items).toMatchObject([{ action: "sign-in.failed", address: "in process" }]);
});

it("the audit log records changes to sites and domains, and which release was rolled back to", async () => {
  const service = await openRunningService({ background: false });
  const { publish, send } = releaseClientOf(service);
  const site = { name: "Shop", slug: "shop" };
  const { id: siteId } = (await send("POST", "/api/sites", { json: site })).body;
  await send("POST", "/api/sites", { json: site });
  await send("PATCH", `/api/sites/${siteId}`, { json: { name: "Store", homeSlug: "home" } });
  await send("PATCH", `/api/sites/${siteId}`, { json: { name: "Store" } });
  await send("POST", "/api/custom-domains", { json: { domain: "a.example.org" } });
  await send("PATCH", "/api/custom-domains/a.example.org", { json: { siteId } });
  await send("PATCH", "/api/custom-domains/a.example.org", { json: { redirectTo: "b.example.org", siteId: null } });
  const first = (await publish({ home: "<p>1" })).body;
  await publish({ home: "<p>2" }, { parent: String(first.id) });
  const { body } = await send("POST", `/api/releases/${first.id}/rollback`, { json: {} });
  const entries = (await send("GET", "/api/audit")).items.toReversed();
  expect(entries.map(({ action, subject, subjectId, detail }) => [action, subject, subjectId, detail])).toEqual([
    ["site.created", "Shop", siteId, null],
    ["site.changed", "Store", siteId, "Name, Home page"],
    ["domain.created", "a.example.org", expect.any(String), null],
    ["domain.changed", "a.example.org", expect.any(String), "points to Store"],
    ["domain.changed", "a.example.org", expect.any(String), "points to b.example.org"],
    ["release.rolledBack", null, body.id, `to ${first.id}`],
  ]);
});

it("a sign-in request for an unknown address is in the audit log with its origin", async () => {
  const service = openService();
  await inviteAs(service, "viewer");
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  const body = new URLSearchParams({ email: "nobody@example.org", next: "/" });
  await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
  const [entry] = (await clientOf(service, { routeSet: "a" })("GET", "/api/audit")).items;
  expect(entry).toMatchObject({ action: "sign-in.failed", subject: "nobody@example.org", address: "in process" });
});

it("only owners can read the audit log, in the dashboard and the API", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "b" });
  const [owner, editor] = [await signIn(service), await inviteAs(service, "editor")];
  expect((await editor.get("/audit")).status).toBe(403);
  const page = await (await owner.get("/audit?action=user.created")).text();
  expect(page).toContain("editor@example.org");
  expect(page).toMatch(/<th scope="row"[^>]*>Added a user<\/th>/);
  expect(page).not.toMatch(/<th scope="row"[^>]*>Signed in<\/th>/);
  expect(page).not.toMatch(/>user\.created</);
  const { apiKey } = await service.createKey({ name: "narrow", scopes: ["account:read"] });
  expect((await send("GET", "/api/audit", { apiKey })).status).toBe(403);
  expect(AUDIT_ACTIONS.every((action) => page.includes(`value="${action}"`))).toBe(true);
});

it("attempts at sign-in links are rate limited, so that they can't fill the audit log", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  const statuses: number[] = [];
  for (let index = 0; index < 8; index++) {
    const body = new URLSearchParams({ token: `${index}`.repeat(22), next: "/" });
    const answer = await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([410, 410, 410, 410, 410, 429, 429, 429]);
  expect((await send("GET", "/api/audit")).items).toHaveLength(5);
});

it("entries are deleted after their retention period", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const service = openService({ now: () => now, retention: { auditDays: 30 }, background: false });
  const send = clientOf(service, { routeSet: "a" });
  await signIn(service);
  now = new Date(now.getTime() + 29 * DAY_MS);
  await service.runJobs();
  expect((await send("GET", "/api/audit")).items).toHaveLength(2);
  now = new Date(now.getTime() + 2 * DAY_MS);
  await service.runJobs();
  expect((await send("GET", "/api/audit")).items).toEqual([]);
});
