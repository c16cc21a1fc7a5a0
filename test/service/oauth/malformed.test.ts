import fc from "fast-check";
import { expect, it } from "vitest";
import type { Service } from "../../../src/service.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { openRunningService } from "../open-service.ts";
import { beginAt, registerProgram } from "./program.ts";

const NAMES = [
  ...["response_type", "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method", "scope"],
  ...["resource", "response_mode", "prompt", "decision", "form_token", "approve", "grant_type", "code", "claims"],
  ...["code_verifier", "refresh_token", "client_secret", "token", "request", "request_uri", "max_age", "id_token_hint"],
];
const VALUES = [
  ...[
    "",
    "code",
    "token",
    "allow",
    "deny",
    "S256",
    "plain",
    "query",
    "form_post",
    "none",
    "login",
    "consent",
    "\u0000",
  ],
  ...[
    "authorization_code",
    "refresh_token",
    "client_credentials",
    "https://",
    "http://127.0.0.1:1/x",
    "pages:read",
    "é",
  ],
];

const field = fc.tuple(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string() }),
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...VALUES) }, { weight: 1, arbitrary: fc.string() }),
);
const fields = fc.array(field, { maxLength: 12 });

async function send(service: Service, path: string, init: RequestInit): Promise<number> {
  const answer = await service.fetch(new Request(`${service.url}${path}`, { redirect: "manual", ...init }));
  return answer.status;
}

it("no invalid input of programs or people crashes the service", async () => {
  const service = await openRunningService();
  const program = await registerProgram(service);
  const { address } = await beginAt(program, {});
  const { cookie } = await signIn(service);
  const right = [...address.searchParams];
  const own = { Cookie: cookie, Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  await fc.assert(
    fc.asyncProperty(fields, fc.subarray(right), fc.jsonValue(), async (wrong, some, json) => {
      const sent = new URLSearchParams([...some, ...wrong]);
      const statuses = await Promise.all([
        send(service, `/oauth/authorize?${sent}`, { headers: own }),
        send(service, "/oauth/authorize", { method: "POST", body: sent, headers: own }),
        send(service, "/oauth/token", { method: "POST", body: sent }),
        send(service, "/oauth/revoke", { method: "POST", body: sent }),
        send(service, "/oauth/token", { method: "POST", body: sent, headers: { Authorization: "Basic eDp5" } }),
        send(service, "/oauth/register", {
          method: "POST",
          body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/x"], ...Object(json) }),
          headers: { "Content-Type": "application/json" },
        }),
      ]);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

it.each([
  ["redirect_uris", { redirect_uris: "http://127.0.0.1/x" }],
  ["redirect_uris", { redirect_uris: [1] }],
  ["redirect_uris", {}],
  ["grant_types", { redirect_uris: ["http://127.0.0.1/x"], grant_types: ["client_credentials"] }],
  [
    "token_endpoint_auth_method",
    { redirect_uris: ["http://127.0.0.1/x"], token_endpoint_auth_method: "private_key_jwt" },
  ],
])("a registration with an invalid %s is rejected with a reason", async (_, metadata) => {
  const service = await openRunningService();
  const answer = await service.fetch(
    new Request(`${service.url}/oauth/register`, {
      method: "POST",
      body: JSON.stringify(metadata),
      headers: { "Content-Type": "application/json" },
    }),
  );
  const { error, error_description: description } = Object(await answer.json());
  expect([answer.status, typeof description]).toEqual([400, "string"]);
  expect(error).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
});

it("limits registrations per minute from one address", async () => {
  const service = await openRunningService();
  const body = JSON.stringify({ redirect_uris: ["http://127.0.0.1/x"], token_endpoint_auth_method: "none" });
  const statuses: number[] = [];
  for (let count = 0; count < 62; count++) {
    const headers = { "Content-Type": "application/json" };
    statuses.push(await send(service, "/oauth/register", { method: "POST", body, headers }));
  }
  expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([60, 429]);
});
