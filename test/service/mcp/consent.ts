import { expect } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { answerForm, REDIRECT_URI } from "../oauth/program.ts";

/** What both generations of clients store for a login. */
export interface Kept<Information, Tokens, State> {
  information: Information | undefined;
  tokens: Tokens | undefined;
  verifier: string;
  discovery: State | undefined;
  /** The address that the client last sent the browser to. */
  address: URL | undefined;
}

/**
 * Creates the login provider for clients of either generation: it stores everything, and a redirected browser waits
 * until `approve`.
 */
export function createLogin<Information, Tokens, State>() {
  const kept: Kept<Information, Tokens, State> = {
    information: undefined,
    tokens: undefined,
    verifier: "",
    discovery: undefined,
    address: undefined,
  };
  const provider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: {
      client_name: "Test client",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.information,
    saveClientInformation(information: Information) {
      kept.information = information;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: Tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(address: URL) {
      kept.address = address;
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    // Binds the callback to the server that the browser was sent to.
    saveDiscoveryState(state: State) {
      kept.discovery = state;
    },
    discoveryState: () => kept.discovery,
  };
  return { kept, provider };
}

/** Approves everything on the consent page as the owner; returns the fields of the callback. */
export async function approve(service: RunningService, address: URL | undefined): Promise<URLSearchParams> {
  const { pathname, search } = address ?? new URL("about:blank");
  const person = await signIn(service);
  const html = await (await person.get(`${pathname}${search}`)).text();
  const answer = await answerForm(service, { html, cookie: person.cookie });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("Location") ?? "").searchParams;
}
