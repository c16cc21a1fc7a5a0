import * as oauth from "openid-client";
import { expect } from "vitest";
import type { RunningService, Service } from "../../../src/service.ts";
import { signIn, type SignedIn } from "../dashboard/signed-in.ts";

/** An OAuth client: openid-client, which is independent of our code. */
export interface Program {
  readonly config: oauth.Configuration;
  readonly redirectUri: string;
}

export const REDIRECT_URI = "http://127.0.0.1:8123/callback";

/** Registers a program with the service, by its discovery document. */
export async function registerProgram(
  service: RunningService,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Program> {
  const config = await oauth.dynamicClientRegistration(
    new URL(service.url),
    { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none", client_name: "Test program", ...metadata },
    metadata["token_endpoint_auth_method"] === undefined ? oauth.None() : undefined,
    { algorithm: "oauth2", execute: [oauth.allowInsecureRequests] },
  );
  return { config, redirectUri: REDIRECT_URI };
}

export interface Approval {
  readonly scope?: string;
  readonly resource?: string;
  /** The scopes that the person leaves selected. Default: all. */
  readonly approve?: readonly string[];
  readonly decision?: "allow" | "deny";
  /** Default: the program's. */
  readonly redirectUri?: string;
  /** Who approves. Default: the first owner. */
  readonly person?: SignedIn;
}

/** The final redirect of the browser, and what the program needs to continue. */
export interface Answered {
  readonly location: URL;
  readonly verifier: string;
  readonly state: string;
}

/** Completes the consent page as a person, with its own form. */
export async function approve(service: RunningService, program: Program, options: Approval = {}): Promise<Answered> {
  const { address, verifier, state } = await beginAt(program, options);
  const person = options.person ?? (await signIn(service));
  const page = await person.get(`${address.pathname}${address.search}`);
  const html = await page.text();
  expect([page.status, html.includes("form_token")]).toEqual([200, true]);
  const sent = await answerForm(service, { html, cookie: person.cookie, ...options });
  expect(sent.status).toBe(303);
  return { location: new URL(sent.headers.get("Location") ?? ""), verifier, state };
}

/** Opens the address that a program sends the browser to. */
export async function beginAt(
  { config, redirectUri }: Program,
  { scope = "pages:read pages:write", resource, ...rest }: Approval,
): Promise<{ readonly address: URL; readonly verifier: string; readonly state: string }> {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const address = oauth.buildAuthorizationUrl(config, {
    redirect_uri: rest.redirectUri ?? redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...{ scope, state },
    ...(resource === undefined ? {} : { resource }),
  });
  return { address, verifier, state };
}

export interface FormAnswer extends Approval {
  readonly html: string;
  readonly cookie: string;
}

/** Sends the form of a consent page like a browser. */
export async function answerForm(service: Service, answer: FormAnswer): Promise<Response> {
  const ticked = Array.from(answer.html.matchAll(/name="approve" value="([^"]+)" checked/g), ([, scope = ""]) => scope);
  const body = new URLSearchParams({
    form_token: /name="form_token" value="([^"]+)"/.exec(answer.html)?.[1] ?? "",
    decision: answer.decision ?? "allow",
  });
  for (const scope of answer.approve ?? ticked) body.append("approve", scope);
  return await service.fetch(
    new Request(`${service.url}/oauth/authorize`, {
      method: "POST",
      body,
      headers: { Cookie: answer.cookie, Origin: service.url, "Sec-Fetch-Site": "same-origin" },
    }),
  );
}

/** Exchanges the response for tokens. */
export async function redeem(
  { config }: Program,
  { location, verifier, state }: Answered,
): Promise<oauth.TokenEndpointResponse> {
  return await oauth.authorizationCodeGrant(config, location, { pkceCodeVerifier: verifier, expectedState: state });
}

/** Completes the whole flow and returns the tokens. */
export async function authorizeProgram(
  service: RunningService,
  program: Program,
  options: Approval = {},
): Promise<oauth.TokenEndpointResponse> {
  return await redeem(program, await approve(service, program, options));
}
