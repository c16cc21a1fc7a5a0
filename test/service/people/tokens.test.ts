import * as oauth from "openid-client";
import { expect, it } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { followLink } from "../dashboard/signed-in.ts";
import { approve, authorizeProgram, redeem, registerProgram } from "../oauth/program.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { inviteAs } from "./signed-in-as.ts";

const HTML = "<p>One";

/** Calls an MCP tool with a token and returns the response. */
async function callTool({ url }: RunningService, token: string, [name, given]: readonly [string, object]) {
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
    headers: {
      ...{ Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      Accept: "application/json, text/event-stream",
    },
  });
  const text = await answer.text();
  return { status: answer.status, challenge: answer.headers.get("WWW-Authenticate"), text };
}

/** An editor with tokens for the API and for MCP, and a renewed one of each. */
async function openWithTokens() {
  const service = await openRunningService();
  const program = await registerProgram(service);
  const editor = await inviteAs(service, "editor");
  const scope = "pages:read pages:write domains:write";
  const forApi = await authorizeProgram(service, program, { person: editor, resource: service.url, scope });
  const forMcp = await authorizeProgram(service, program, { person: editor, resource: `${service.url}/mcp`, scope });
  const renew = async (token: string | undefined) => await oauth.refreshTokenGrant(program.config, token ?? "");
  return { service, program, editor, forApi, forMcp, renew, send: clientOf(service, { routeSet: "a" }) };
}

it("a token loses the permissions that its user loses, from the next request to the API and MCP", async () => {
  const { service, editor, forApi, forMcp, renew, send } = await openWithTokens();
  const apiKey = forApi.access_token;
  const put = () => send("PUT", "/api/pages/one", { apiKey, json: { html: HTML } });
  expect((await put()).status).toBe(201);
  const editing = { slug: "one", title: "First" };
  expect((await callTool(service, forMcp.access_token, ["pages_patch", editing])).text).toContain("First");
  // The token never had permissions beyond the role, whatever was selected.
  expect((await send("POST", "/api/custom-domains", { apiKey, json: { domain: "a.example.org" } })).status).toBe(403);

  await send("PATCH", `/api/users/${editor.id}`, { json: { role: "viewer" } });
  expect((await put()).body).toMatchObject({ code: "insufficient_scope", scope: "pages:write" });
  expect((await send("GET", "/api/pages/one", { apiKey })).body.title).toBe("First");
  const refused = await callTool(service, forMcp.access_token, ["pages_patch", { slug: "one", title: "Second" }]);
  expect([refused.status, refused.challenge]).toEqual([403, expect.stringContaining("pages:write")]);
  expect((await editor.post(`/pages/${(await send("GET", "/api/pages/one")).body.id}/status`)).status).toBe(403);

  // A renewed token is limited by the role, too, until the role is restored.
  const renewed = (await renew(forApi.refresh_token)).access_token;
  const putAgain = () => send("PUT", "/api/pages/one", { apiKey: renewed, json: { html: `${HTML} more` } });
  expect((await putAgain()).status).toBe(403);
  await send("PATCH", `/api/users/${editor.id}`, { json: { role: "editor" } });
  expect((await putAgain()).status).toBe(200);
  expect((await send("GET", "/api/pages/one")).body.title).toBe("First");
});

it("a removed user's tokens, authorization codes, and consent forms are invalid at once", async () => {
  const { service, program, editor, forApi, forMcp, renew, send } = await openWithTokens();
  const waiting = await approve(service, program, { person: editor, resource: service.url });
  expect((await send("GET", "/api/pages", { apiKey: forApi.access_token })).status).toBe(200);
  expect((await send("DELETE", `/api/users/${editor.id}`)).status).toBe(204);
  expect((await send("GET", "/api/pages", { apiKey: forApi.access_token })).body.code).toBe("invalid_token");
  expect((await callTool(service, forMcp.access_token, ["pages_list", {}])).status).toBe(401);
  await expect(renew(forApi.refresh_token)).rejects.toMatchObject({ error: "invalid_grant" });
  await expect(renew(forMcp.refresh_token)).rejects.toMatchObject({ error: "invalid_grant" });
  await expect(redeem(program, waiting)).rejects.toMatchObject({ error: "invalid_grant" });
  expect((await editor.get("/pages")).status).toBe(401);
  expect((await editor.post("/pages/new", { slug: "two" })).status).toBe(401);
});

it("an invitation doesn't sign anyone in after its user was removed or got another address", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const invite = async (email: string) => (await send("POST", "/api/users", { json: { email, role: "owner" } })).body;
  const [ada, bea] = [await invite("ada@example.org"), await invite("bea@example.org")];
  const again = (await send("POST", `/api/users/${ada.id}/invitations`)).body;
  await send("DELETE", `/api/users/${ada.id}`);
  await send("PATCH", `/api/users/${bea.id}`, { json: { email: "other@example.org" } });
  for (const url of [ada.url, again.url, bea.url]) expect((await followLink(service, String(url))).status).toBe(410);
});
