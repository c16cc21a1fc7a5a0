import { expect, it } from "vitest";
import type { Service } from "../../../src/service.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { clientOf, openRunningService, openService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { answerForm, approve, authorizeProgram, redeem, registerProgram, REDIRECT_URI } from "./program.ts";

// The example of RFC 7636, appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async function post(service: Service, path: string, body: URLSearchParams | string): Promise<Response> {
  const headers = typeof body === "string" ? { "Content-Type": "application/json" } : {};
  return await service.fetch(new Request(`${service.url}${path}`, { method: "POST", body, headers }));
}

it("works without a port, under a proxy's address", async () => {
  const service = openService({ appUrl: "https://imprint.example", pagesUrl: "https://pages.example" });
  const metadata = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" };
  const { client_id: id } = Object(await (await post(service, "/oauth/register", JSON.stringify(metadata))).json());
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: String(id), redirect_uri: REDIRECT_URI, state: "s-1" },
    ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", scope: "pages:read" },
    resource: "https://imprint.example/b/",
  });
  const person = await signIn(service);
  // Route set B has it too, and accepts the first request as a form.
  const page = await service.fetch(
    new Request(`${service.url}/b/oauth/authorize`, {
      method: "POST",
      body: query,
      headers: { Cookie: person.cookie },
    }),
  );
  const sent = await answerForm(service, { html: await page.text(), cookie: person.cookie });
  const location = new URL(sent.headers.get("Location") ?? "");
  expect([location.searchParams.get("iss"), location.searchParams.get("state")]).toEqual([service.url, "s-1"]);
  const code = location.searchParams.get("code") ?? "";
  const fields = { grant_type: "authorization_code", code, code_verifier: VERIFIER, redirect_uri: REDIRECT_URI };
  const token = await post(service, "/b/oauth/token", new URLSearchParams({ ...fields, client_id: String(id) }));
  const { access_token: apiKey } = Object(await token.json());
  const { status } = await clientOf(service, { routeSet: "b" })("GET", "/api/pages", { apiKey: String(apiKey) });
  expect([token.status, status]).toEqual([200, 200]);
});

it("a code from one process can be redeemed at another one with the same data", async () => {
  const dataDir = await temporaryFolder();
  const options = { ephemeral: false, dataDir, appUrl: "http://localhost:4400" };
  const first = await openRunningService(options);
  const second = openService(options);
  const metadata = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" };
  const { client_id: id } = Object(await (await post(second, "/oauth/register", JSON.stringify(metadata))).json());
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: String(id), redirect_uri: REDIRECT_URI, scope: "pages:read" },
    ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", resource: first.url },
  });
  const person = await signIn(first);
  const html = await (await person.get(`/oauth/authorize?${query}`)).text();
  const sent = await answerForm(second, { html, cookie: person.cookie });
  const code = new URL(sent.headers.get("Location") ?? "").searchParams.get("code") ?? "";
  const fields = { grant_type: "authorization_code", code, code_verifier: VERIFIER, redirect_uri: REDIRECT_URI };
  const token = await post(first, "/oauth/token", new URLSearchParams({ ...fields, client_id: String(id) }));
  const { access_token: apiKey } = Object(await token.json());
  const { status } = await clientOf(second, { routeSet: "a" })("GET", "/api/pages", { apiKey: String(apiKey) });
  expect([token.status, status]).toEqual([200, 200]);
});

it("tokens survive a restart of the service", async () => {
  const dataDir = await temporaryFolder();
  const before = await openRunningService({ ephemeral: false, dataDir });
  const program = await registerProgram(before);
  const tokens = await authorizeProgram(before, program, { resource: before.url });
  await before.close();
  const after = openService({ ephemeral: false, dataDir, appUrl: before.url });
  const { status } = await clientOf(after, { routeSet: "a" })("GET", "/api/pages", { apiKey: tokens.access_token });
  expect(status).toBe(200);
});

it("a reset of all records signs nobody out", async () => {
  const service = await openRunningService();
  const program = await registerProgram(service);
  const answered = await approve(service, program, { resource: service.url });
  await service.reset();
  const tokens = await redeem(program, answered);
  const { status } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", { apiKey: tokens.access_token });
  expect(status).toBe(200);
});
