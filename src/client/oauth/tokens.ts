import * as z from "zod";
import { ImprintError } from "../../base/error.ts";
import type { AuthorizationServer } from "./authorization-server.ts";
import { sendForJson } from "./send.ts";

/** What a service gave for a login. */
export interface Tokens {
  readonly accessToken: string;
  /** `undefined`: the login ends with the access token. */
  readonly refreshToken: string | undefined;
  readonly expiresAt: Date;
  readonly scopes: readonly string[] | undefined;
}

/** Whom tokens are for. */
export interface Program {
  readonly server: Pick<AuthorizationServer, "issuer" | "tokenEndpoint" | "revocationEndpoint" | "resource">;
  readonly clientId: string;
}

interface CodeExchange {
  readonly code: string;
  /** What the challenge of the request was made from. */
  readonly verifier: string;
  readonly redirectUri: string;
}

interface Sending {
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
}

/** Makes this program known to a service and gives the id it is known by. Throws `LOGIN_UNSUPPORTED`, `LOGIN_FAILED`. */
export async function registerProgram(
  { registrationEndpoint, issuer }: AuthorizationServer,
  {
    name,
    redirectUri,
    signal,
  }: { readonly name: string; readonly redirectUri: string; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  if (registrationEndpoint === undefined) {
    throw new ImprintError("LOGIN_UNSUPPORTED", `${issuer} lets no program register itself.`);
  }
  const body = JSON.stringify({
    client_name: name,
    application_type: "native",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
  const headers = { "content-type": "application/json" };
  const { status, json } = await sendForJson(registrationEndpoint, { method: "POST", headers, body, signal });
  const { client_id: clientId } = z.object({ client_id: z.string() }).partial().catch({}).parse(json);
  if (status === 201 && clientId !== undefined) return clientId;
  throw new ImprintError(
    "LOGIN_FAILED",
    `${issuer} did not take this program's registration (${status}). ${reason(json)}`,
  );
}

/** Gets the tokens that a code stands for. Throws `LOGIN_FAILED`. */
export async function exchangeCode(program: Program, exchange: CodeExchange, sending: Sending): Promise<Tokens> {
  const { server, clientId } = program;
  const { status, json } = await sendForm(
    server.tokenEndpoint,
    {
      grant_type: "authorization_code",
      code: exchange.code,
      code_verifier: exchange.verifier,
      redirect_uri: exchange.redirectUri,
      client_id: clientId,
      resource: server.resource,
    },
    sending.signal,
  );
  const tokens = status === 200 ? parseTokens(json, sending.now) : undefined;
  if (tokens !== undefined) return tokens;
  throw new ImprintError("LOGIN_FAILED", `${server.issuer} gave no token for the code (${status}). ${reason(json)}`);
}

/** Trades a refresh token in for new tokens. Throws `LOGIN_EXPIRED` when the service takes it no more. */
export async function refreshTokens(program: Program, refreshToken: string, sending: Sending): Promise<Tokens> {
  const { server, clientId } = program;
  const { status, json } = await sendForm(
    server.tokenEndpoint,
    {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: clientId,
      resource: server.resource,
    },
    sending.signal,
  );
  const tokens = status === 200 ? parseTokens(json, sending.now) : undefined;
  // A service that does not replace the token means it to be used again.
  if (tokens !== undefined) return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  if (status >= 500 || status === 429) {
    throw new ImprintError("SERVICE_FAILED", `${server.issuer} could not renew the login (${status}).`);
  }
  throw new ImprintError("LOGIN_EXPIRED", `${server.issuer} does not renew the login (${status}). ${reason(json)}`);
}

/** Takes a token back, and with a refresh token all that came of the login. Throws `LOGIN_FAILED`. */
export async function revokeToken({ server, clientId }: Program, token: string, signal?: AbortSignal): Promise<void> {
  if (server.revocationEndpoint === undefined) return;
  const { status, json } = await sendForm(server.revocationEndpoint, { token, client_id: clientId }, signal);
  if (status >= 200 && status < 300) return;
  throw new ImprintError("LOGIN_FAILED", `${server.issuer} did not take the login back (${status}). ${reason(json)}`);
}

const tokensSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive().default(3600),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});

function parseTokens(json: unknown, now: Date): Tokens | undefined {
  const { data } = tokensSchema.safeParse(json);
  if (data === undefined || data.token_type.toLowerCase() !== "bearer") return undefined;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token,
    expiresAt: new Date(now.getTime() + data.expires_in * 1000),
    scopes: data.scope?.split(" ").filter((scope) => scope !== ""),
  };
}

function sendForm(address: string, fields: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return sendForJson(address, { method: "POST", headers, body: new URLSearchParams(fields).toString(), signal });
}

const errorSchema = z.object({ error: z.string().optional(), error_description: z.string().optional() }).catch({});

// What a service says is shown, but never at length and never with what a terminal would act on.
function reason(json: unknown): string {
  const { error = "", error_description: description = "" } = errorSchema.parse(json);
  const said = [error, description].filter((part) => part !== "").join(": ");
  return said.replaceAll(/[\p{C}\s]+/gu, " ").slice(0, 200);
}
