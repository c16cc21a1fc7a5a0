import { once } from "node:events";
import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import * as oauth from "openid-client";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { SELF_SIGNED } from "../../client/self-signed.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { openRunningService } from "../open-service.ts";
import { beginAt, authorizeProgram, REDIRECT_URI, type Program } from "./program.ts";

const TRUSTED = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...TRUSTED, SELF_SIGNED.cert]));
afterAll(() => setDefaultCACertificates(TRUSTED));

const LOOPBACK = { allowNetworks: ["127.0.0.0/8"] };

/** A program's own site, with its client metadata document. */
async function openSite(change: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = [];
  const server = createServer(SELF_SIGNED, (request, response) => {
    asked.push(request.url ?? "");
    const document = {
      client_id: address,
      client_name: "Known by its site",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      ...change,
    };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = server.address();
  const address = `https://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/program.json`;
  return { address, asked };
}

async function programOf(service: RunningService, clientId: string): Promise<Program> {
  const execute = [oauth.allowInsecureRequests];
  const options = { algorithm: "oauth2", execute } as const;
  const config = await oauth.discovery(new URL(service.url), clientId, undefined, oauth.None(), options);
  return { config, redirectUri: REDIRECT_URI };
}

it("a program with a document on its own site needs no registration", async () => {
  const [service, site] = [await openRunningService(LOOPBACK), await openSite()];
  const program = await programOf(service, site.address);
  const tokens = await authorizeProgram(service, program);
  const next = await oauth.refreshTokenGrant(program.config, tokens.refresh_token ?? "");
  expect([tokens.scope, next.scope]).toEqual(["pages:read pages:write", "pages:read pages:write"]);
  expect(site.asked).toEqual(["/program.json"]);
});

it("the consent page shows its name and host", async () => {
  const [service, site] = [await openRunningService(LOOPBACK), await openSite()];
  const { address } = await beginAt(await programOf(service, site.address), {});
  const page = await (await signIn(service)).get(`${address.pathname}${address.search}`);
  const html = await page.text();
  expect([html.includes("Known by its site"), html.includes(new URL(site.address).host)]).toEqual([true, true]);
});

it.each([
  ["claims another address", { client_id: "https://other.example/program.json" }],
  ["lists another redirect", { redirect_uris: ["https://other.example/callback"] }],
  ["contains a secret", { client_secret: "not-so-secret-any-more" }],
  ["lists a redirect without encryption", { redirect_uris: ["http://other.example/callback"] }],
])("a document that %s is rejected", async (_, change) => {
  const [service, site] = [await openRunningService(LOOPBACK), await openSite(change)];
  const { address } = await beginAt(await programOf(service, site.address), {});
  const answer = await (await signIn(service)).get(`${address.pathname}${address.search}`);
  expect([answer.status, answer.headers.get("Location")]).toEqual([400, null]);
});

it("the service fetches no document from its own networks", async () => {
  const [service, site] = [await openRunningService(), await openSite()];
  const { address } = await beginAt(await programOf(service, site.address), {});
  const answer = await (await signIn(service)).get(`${address.pathname}${address.search}`);
  expect([answer.status, site.asked]).toEqual([400, []]);
});

it("only signed-in people can cause a document to be fetched", async () => {
  const [service, site] = [await openRunningService(LOOPBACK), await openSite()];
  const { address } = await beginAt(await programOf(service, site.address), {});
  const stranger = await fetch(address);
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "rt_x", client_id: site.address });
  const token = await fetch(`${service.url}/oauth/token`, { method: "POST", body });
  expect([stranger.status, token.status, site.asked]).toEqual([401, 400, []]);
});

it.each(["sector_identifier_uri", "jwks_uri"])("a program that registers a %s causes no fetch", async (name) => {
  const [service, site] = [await openRunningService(LOOPBACK), await openSite()];
  const answer = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT_URI], [name]: site.address }),
  });
  expect([answer.status, site.asked]).toEqual([201, []]);
});
