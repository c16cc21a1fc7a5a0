import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { sendPlainly, type PlainRequest } from "./transport/plain.ts";
import { parseJson } from "../base/json.ts";

/** How programs sign in to a service, according to its documents. */
export interface AuthorizationServer {
  /** Identifies the server; its responses must contain it. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  /** Whether all of its responses identify it, so that one without its identifier comes from elsewhere (RFC 9207). */
  readonly namesItself: boolean;
  /** The resource to request tokens for. */
  readonly resource: string;
  /** Absent if the service doesn't report them. */
  readonly scopes: readonly string[] | undefined;
}

const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.url()).min(1),
  scopes_supported: z.array(z.string()).optional(),
});

const serverSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url().optional(),
  revocation_endpoint: z.url().optional(),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

/**
 * Reads how programs sign in to a service (RFC 9728, then RFC 8414). Throws `LOGIN_UNSUPPORTED` if it has no such
 * documents, `SERVICE_WRONG_ADDRESS` if they name another address, and `SERVICE_UNREACHABLE` if it doesn't respond.
 *
 * @param baseUrl address of the service before `/api`
 */
export async function findAuthorizationServer(baseUrl: string, signal?: AbortSignal): Promise<AuthorizationServer> {
  const resource = await readDocument(wellKnown(baseUrl, "oauth-protected-resource"), resourceSchema, signal);
  const issuer = resource?.authorization_servers[0];
  if (resource === undefined || issuer === undefined) throw unsupported(baseUrl, "offers no login");
  if (!isSame(resource.resource, baseUrl)) throw otherAddress(baseUrl, resource.resource);
  checkSecure(issuer, baseUrl);
  const server = await readDocument(wellKnown(issuer, "oauth-authorization-server"), serverSchema, signal);
  if (server === undefined)
    throw unsupported(baseUrl, `uses the authorization server ${issuer}, which has no OAuth metadata`);
  if (server.issuer !== issuer)
    throw unsupported(
      baseUrl,
      `uses the authorization server ${issuer}, whose metadata has the issuer ${server.issuer}`,
    );
  if (!server.code_challenge_methods_supported.includes("S256"))
    throw unsupported(baseUrl, "doesn't support PKCE with S256");
  const endpoints = [server.authorization_endpoint, server.token_endpoint];
  for (const endpoint of [...endpoints, server.registration_endpoint, server.revocation_endpoint]) {
    if (endpoint !== undefined) checkSecure(endpoint, baseUrl);
  }
  return {
    issuer,
    authorizationEndpoint: server.authorization_endpoint,
    tokenEndpoint: server.token_endpoint,
    registrationEndpoint: server.registration_endpoint,
    revocationEndpoint: server.revocation_endpoint,
    namesItself: server.authorization_response_iss_parameter_supported,
    resource: resource.resource,
    scopes: resource.scopes_supported,
  };
}

function wellKnown(address: string, name: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname.replace(/\/$/, "")}`;
}

async function readDocument<Schema extends z.ZodType>(
  address: string,
  schema: Schema,
  signal: AbortSignal | undefined,
): Promise<z.infer<Schema> | undefined> {
  const { status, json } = await sendForJson(address, { headers: {}, signal });
  return status === 200 ? schema.safeParse(json).data : undefined;
}

function isSame(first: string, second: string): boolean {
  return first.replace(/\/+$/, "") === second.replace(/\/+$/, "");
}

// What is sent there is as sensitive as a key.
function checkSecure(endpoint: string, baseUrl: string): void {
  const { protocol, hostname } = new URL(endpoint);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (protocol === "https:" || (protocol === "http:" && (isHere || new URL(baseUrl).hostname === hostname))) return;
  throw unsupported(baseUrl, `requires sending secrets to ${endpoint} without encryption`);
}

// A token for another address could be meant for another service (RFC 9728, section 3.3).
function otherAddress(baseUrl: string, resource: string): ImprintError {
  return new ImprintError("SERVICE_WRONG_ADDRESS", `${baseUrl} reports ${resource} as its address for logins.`, {
    hint: `If that is the same service, set the address of the service to ${resource}, and log in again.`,
  });
}

function unsupported(baseUrl: string, why: string): ImprintError {
  return new ImprintError("LOGIN_UNSUPPORTED", `${baseUrl} ${why}.`);
}

/** The tokens of a login. */
export interface Tokens {
  readonly accessToken: string;
  /** `undefined`: the login ends when the access token expires. */
  readonly refreshToken: string | undefined;
  readonly expiresAt: Date;
  readonly scopes: readonly string[] | undefined;
}

/** The server and client that tokens belong to. */
export interface Program {
  readonly server: Pick<AuthorizationServer, "issuer" | "tokenEndpoint" | "revocationEndpoint" | "resource">;
  readonly clientId: string;
}

interface Code {
  readonly code: string;
  /** The secret from which the challenge of the request was derived. */
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Registers this program with a service and returns its client id. Throws `LOGIN_UNSUPPORTED`, `LOGIN_FAILED`. */
export async function registerProgram(
  { registrationEndpoint, issuer }: AuthorizationServer,
  { name, redirectUri }: { readonly name: string; readonly redirectUri: string },
  signal?: AbortSignal,
): Promise<string> {
  if (registrationEndpoint === undefined) {
    throw new ImprintError("LOGIN_UNSUPPORTED", `${issuer} doesn't allow programs to register themselves.`);
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
  throw new ImprintError("LOGIN_FAILED", `${issuer} rejected this program's registration (${status}). ${reason(json)}`);
}

/** Exchanges an authorization code for tokens. Throws `LOGIN_FAILED`. */
export async function exchangeCode(program: Program, sent: Code, signal?: AbortSignal): Promise<Tokens> {
  const { code, verifier, redirectUri } = sent;
  const fields = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
  const { status, json, tokens } = await requestTokens(program, fields, signal);
  if (tokens !== undefined) return tokens;
  const { issuer } = program.server;
  throw new ImprintError("LOGIN_FAILED", `${issuer} returned no token for the code (${status}). ${reason(json)}`);
}

/** Exchanges a refresh token for new tokens. Throws `LOGIN_EXPIRED` if the service no longer accepts it. */
export async function refreshTokens(program: Program, refreshToken: string): Promise<Tokens> {
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
  const { status, json, tokens } = await requestTokens(program, fields);
  // If a service doesn't return a new refresh token, the old one stays valid.
  if (tokens !== undefined) return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  const { issuer } = program.server;
  if (status >= 500 || status === 429) {
    throw new ImprintError("SERVICE_FAILED", `${issuer} could not renew the login (${status}).`);
  }
  throw new ImprintError("LOGIN_EXPIRED", `${issuer} refused to renew the login (${status}). ${reason(json)}`);
}

/** Revokes a token; with a refresh token, also all others from the login. Throws `LOGIN_FAILED`. */
export async function revokeToken({ server, clientId }: Program, token: string, signal?: AbortSignal): Promise<void> {
  if (server.revocationEndpoint === undefined) return;
  const { status, json } = await sendForm(server.revocationEndpoint, { token, client_id: clientId }, signal);
  if (status >= 200 && status < 300) return;
  throw new ImprintError("LOGIN_FAILED", `${server.issuer} didn't revoke the login (${status}). ${reason(json)}`);
}

const tokensSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive().default(3600),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});

async function requestTokens(
  { server, clientId }: Program,
  fields: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) {
  const sent = { ...fields, client_id: clientId, resource: server.resource };
  const { status, json } = await sendForm(server.tokenEndpoint, sent, signal);
  return { status, json, tokens: status === 200 ? parseTokens(json) : undefined };
}

function parseTokens(json: unknown): Tokens | undefined {
  const { data } = tokensSchema.safeParse(json);
  if (data === undefined || data.token_type.toLowerCase() !== "bearer") return undefined;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token,
    expiresAt: new Date(Date.now() + data.expires_in * 1000),
    scopes: data.scope?.split(" ").filter((scope) => scope !== ""),
  };
}

function sendForm(address: string, fields: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return sendForJson(address, { method: "POST", headers, body: new URLSearchParams(fields).toString(), signal });
}

const errorSchema = z.object({ error: z.string().optional(), error_description: z.string().optional() }).catch({});

// The service's message is shown, but shortened and without terminal control characters.
function reason(json: unknown): string {
  const { error = "", error_description: description = "" } = errorSchema.parse(json);
  const said = [error, description].filter((part) => part !== "").join(": ");
  return said.replaceAll(/[\p{C}\s]+/gu, " ").slice(0, 200);
}

const TIMEOUT_MS = 15_000;

// `json` is `undefined` if the response isn't JSON. Throws `ABORTED` and `SERVICE_UNREACHABLE`.
async function sendForJson(
  address: string,
  { signal, headers, ...request }: Omit<PlainRequest, "redirect">,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await sendPlainly(address, {
      ...request,
      headers: { accept: "application/json", ...headers },
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: response.status, json: parseJson(Buffer.from(response.bytes).toString()) };
  } catch (error) {
    if (signal?.aborted === true) throw new ImprintError("ABORTED", "The login was interrupted.", { cause: error });
    const reason = systemCodeOf(error) ?? messageOf(error);
    throw new ImprintError("SERVICE_UNREACHABLE", `${address} can't be reached: ${reason}.`, { cause: error });
  }
}
