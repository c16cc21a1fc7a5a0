import { expect, it } from "vitest";
import { clientOf, openService } from "../open-service.ts";

async function read(service: ReturnType<typeof openService>, path: string): Promise<Response> {
  return await service.fetch(new Request(`${service.url}${path}`, { headers: { Origin: "https://page.example" } }));
}

it("tells programs on any origin how to get a token", async () => {
  const service = openService();
  const answer = await read(service, "/.well-known/oauth-authorization-server");
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(await answer.json()).toMatchObject({
    issuer: service.url,
    authorization_endpoint: `${service.url}/oauth/authorize`,
    token_endpoint: `${service.url}/oauth/token`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

it.each([
  ["", ""],
  ["/mcp", "/mcp"],
  ["/a", "/a"],
  ["/b", "/b"],
])("names the authorization server of %s", async (suffix, path) => {
  const service = openService();
  const answer = await read(service, `/.well-known/oauth-protected-resource${suffix}`);
  expect(await answer.json()).toMatchObject({
    resource: `${service.url}${path}`,
    authorization_servers: [service.url],
  });
});

it("offers every scope except the one that manages keys", async () => {
  const service = openService();
  const document: unknown = await (await read(service, "/.well-known/oauth-protected-resource/mcp")).json();
  const { scopes_supported: scopes } = Object(document);
  expect(scopes).toContain("account:read");
  expect(scopes).not.toContain("account:write");
});

it("uses the public address behind a proxy", async () => {
  const service = openService({ appUrl: "https://example.org/imprint", pagesUrl: "https://pages.example.org" });
  const server = await service.fetch(new Request("https://example.org/.well-known/oauth-authorization-server/imprint"));
  const mcp = await service.fetch(new Request("https://example.org/.well-known/oauth-protected-resource/imprint/mcp"));
  expect(await server.json()).toMatchObject({ issuer: "https://example.org/imprint" });
  expect(await mcp.json()).toMatchObject({ resource: "https://example.org/imprint/mcp" });
});

it.each(["/.well-known/oauth-protected-resource/other", "/.well-known/oauth-authorization-server/a"])(
  "has nothing at %s",
  async (path) => {
    expect((await read(openService(), path)).status).toBe(404);
  },
);

it("allows token requests from any origin", async () => {
  const service = openService();
  const { status, headers } = await service.fetch(
    new Request(`${service.url}/oauth/token`, {
      method: "OPTIONS",
      headers: { Origin: "https://page.example", "Access-Control-Request-Method": "POST" },
    }),
  );
  expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
});

it("reports invalid token requests as defined in RFC 6749", async () => {
  const service = openService();
  const send = (body: string, type = "application/x-www-form-urlencoded") =>
    service.fetch(
      new Request(`${service.url}/b/oauth/token`, { method: "POST", body, headers: { "Content-Type": type } }),
    );
  const cases = [
    await send("grant_type=authorization_code&code=x&client_id=nobody"),
    await send("grant_type=password"),
    await send("{}", "application/json"),
    await send(`x=${"y".repeat(60_000)}`),
  ];
  const responses = await Promise.all(cases.map(async (each) => [each.status, Object(await each.json()).error]));
  expect(responses).toEqual([
    [401, "invalid_client"],
    [400, "invalid_request"],
    [400, "invalid_request"],
    [400, "invalid_request"],
  ]);
  expect(cases[0]?.headers.get("Cache-Control")).toBe("no-store");
  expect(cases.map(({ headers }) => headers.get("Access-Control-Allow-Origin"))).toEqual(["*", "*", "*", "*"]);
});

it("belongs to route set B, and route set A doesn't list it", async () => {
  const { status, headers } = await clientOf(openService(), { routeSet: "a" })("POST", "/oauth/token");
  expect([status, headers.get("Allow")]).toEqual([405, ""]);
});

it("is off in strict mode, except for what the specification lists", async () => {
  const service = openService({ strict: true });
  const paths = ["/oauth/register", "/oauth/revoke", "/.well-known/oauth-authorization-server", "/oauth/token"];
  const statuses = await Promise.all(
    paths.map(async (path) => (await service.fetch(new Request(`${service.url}${path}`, { method: "POST" }))).status),
  );
  const keyless = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", { apiKey: null });
  expect([statuses, keyless.headers.get("WWW-Authenticate")]).toEqual([[404, 404, 404, 400], "Bearer"]);
});

it("stores only the required fields of a registration", async () => {
  const service = openService();
  const register = (name: string) =>
    service.fetch(
      new Request(`${service.url}/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          redirect_uris: ["http://127.0.0.1/back"],
          token_endpoint_auth_method: "none",
          client_name: name,
        }),
      }),
    );
  expect((await register("A program")).status).toBe(201);
  expect((await register("x".repeat(9000))).status).toBe(413);
});
