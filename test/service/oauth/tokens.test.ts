import * as oauth from "openid-client";
import { describe, expect, it } from "vitest";
import { signIn } from "../dashboard/signed-in.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { beginAt, authorizeProgram, registerProgram } from "./program.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("a refresh token", () => {
  it("is replaced with each use", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const first = await authorizeProgram(service, program);
    const second = await oauth.refreshTokenGrant(program.config, first.refresh_token ?? "");
    expect(second.refresh_token).toMatch(/^rt_/);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.scope).toBe(first.scope);
  });

  it("that is used again revokes the whole family", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const service = await openRunningService({ now: () => now });
    const program = await registerProgram(service);
    const first = await authorizeProgram(service, program, { resource: service.url });
    const second = await oauth.refreshTokenGrant(program.config, first.refresh_token ?? "");
    now = new Date("2026-03-01T10:00:30Z");
    const again = oauth.refreshTokenGrant(program.config, first.refresh_token ?? "");
    await expect(again).rejects.toMatchObject({ error: "invalid_grant" });
    const next = oauth.refreshTokenGrant(program.config, second.refresh_token ?? "");
    await expect(next).rejects.toMatchObject({ error: "invalid_grant" });
    const send = clientOf(service, { routeSet: "a" });
    expect((await send("GET", "/api/pages", { apiKey: second.access_token })).status).toBe(401);
    expect((await send("GET", "/api/audit?action=grant.revoked")).items).toMatchObject([
      { actor: "the service", subject: "Test program", detail: "A code or refresh token was reused." },
    ]);
  });

  it("used twice at once gives the same successor, even from another process and after the successor was used", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const service = await openRunningService({ now: () => now });
    const program = await registerProgram(service);
    const send = clientOf(service, { routeSet: "a" });
    const first = await authorizeProgram(service, program, { resource: service.url });
    const renew = (token: string | undefined) => oauth.refreshTokenGrant(program.config, token ?? "");
    const [one, two] = await Promise.all([renew(first.refresh_token), renew(first.refresh_token)]);
    expect(two.refresh_token).toBe(one.refresh_token);
    for (const { access_token: apiKey } of [one, two]) {
      expect((await send("GET", "/api/pages", { apiKey })).status).toBe(200);
    }
    const third = await renew(one.refresh_token);
    now = new Date("2026-03-01T10:00:29Z");
    expect((await renew(first.refresh_token)).refresh_token).toBe(one.refresh_token);
    expect((await renew(two.refresh_token)).refresh_token).toBe(third.refresh_token);
    now = new Date("2026-03-01T10:01:00Z");
    const fourth = await renew(third.refresh_token);
    await expect(renew(first.refresh_token)).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(renew(fourth.refresh_token)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("expires after 30 days without use, and each use extends it, up to a year", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const service = await openRunningService({ now: () => now });
    const program = await registerProgram(service);
    const first = await authorizeProgram(service, program);
    now = new Date("2026-03-30T10:00:00Z");
    const second = await oauth.refreshTokenGrant(program.config, first.refresh_token ?? "");
    now = new Date("2026-04-28T10:00:00Z");
    const third = await oauth.refreshTokenGrant(program.config, second.refresh_token ?? "");
    now = new Date("2026-05-28T10:00:01Z");
    const late = oauth.refreshTokenGrant(program.config, third.refresh_token ?? "");
    await expect(late).rejects.toMatchObject({ error: "invalid_grant" });
    let { refresh_token: token = "" } = await authorizeProgram(service, program);
    const renew = async () => await oauth.refreshTokenGrant(program.config, token);
    const end = now.getTime() + 365 * DAY_MS;
    while (now.getTime() + 29 * DAY_MS < end) {
      now = new Date(now.getTime() + 29 * DAY_MS);
      ({ refresh_token: token = "" } = await renew());
    }
    now = new Date(end);
    await expect(renew()).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("can request fewer scopes, and gets no more than before", async () => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const { refresh_token: token = "" } = await authorizeProgram(service, program, { approve: ["pages:read"] });
    const wider = oauth.refreshTokenGrant(program.config, token, { scope: "pages:read pages:write" });
    await expect(wider).rejects.toMatchObject({ error: "invalid_scope" });
  });
});

describe("an access token", () => {
  it("expires after an hour, and the response names the authorization server", async () => {
    let now = new Date("2026-03-01T10:00:00Z");
    const service = await openRunningService({ now: () => now });
    const tokens = await authorizeProgram(service, await registerProgram(service), { resource: service.baseUrl("a") });
    const send = clientOf(service, { routeSet: "a" });
    const before = await send("GET", "/api/pages", { apiKey: tokens.access_token });
    now = new Date("2026-03-01T11:00:01Z");
    const after = await send("GET", "/api/pages", { apiKey: tokens.access_token });
    expect([before.status, after.status]).toEqual([200, 401]);
    expect(after.headers.get("WWW-Authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="${service.url}/.well-known/oauth-protected-resource"`,
    );
  });

  it("for the MCP server is rejected by the API", async () => {
    const service = await openRunningService();
    const tokens = await authorizeProgram(service, await registerProgram(service), { resource: `${service.url}/mcp` });
    const { status, body } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", {
      apiKey: tokens.access_token,
    });
    expect([status, body.code]).toEqual([401, "invalid_token"]);
    expect(body.detail).toContain("another part of the service");
  });

  it("isn't issued for another service", async () => {
    const service = await openRunningService();
    const { address } = await beginAt(await registerProgram(service), { resource: "https://other.example/mcp" });
    const answer = await (await signIn(service)).get(`${address.pathname}${address.search}`);
    const location = new URL(answer.headers.get("Location") ?? "");
    expect(location.searchParams.get("error")).toBe("invalid_target");
  });

  it.each(["access_token", "refresh_token"] as const)("is revoked with its %s", async (name) => {
    const service = await openRunningService();
    const program = await registerProgram(service);
    const tokens = await authorizeProgram(service, program, { resource: service.url });
    await oauth.tokenRevocation(program.config, tokens[name] ?? "");
    const { status } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", { apiKey: tokens.access_token });
    const next = oauth.refreshTokenGrant(program.config, tokens.refresh_token ?? "");
    await expect(next).rejects.toMatchObject({ error: "invalid_grant" });
    expect(status).toBe(401);
    expect((await clientOf(service, { routeSet: "a" })("GET", "/api/audit")).items[0]).toMatchObject({
      ...{ action: "grant.revoked", actor: "Owner, app Test program", detail: "The app signed out." },
    });
  });

  it("can't be revoked by another program", async () => {
    const service = await openRunningService();
    const tokens = await authorizeProgram(service, await registerProgram(service), { resource: service.url });
    await oauth.tokenRevocation((await registerProgram(service)).config, tokens.access_token);
    const { status } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", { apiKey: tokens.access_token });
    expect(status).toBe(200);
  });
});
