import * as z from "zod";
import { ImprintError } from "../../base/error.ts";
import { sendForJson } from "./send.ts";

/** How programs sign in to a service, as its documents say. */
export interface AuthorizationServer {
  /** Address that names the server; its answers have to carry it. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  /** Whether every answer of it names it, so that one without its name is of somebody else (RFC 9207). */
  readonly namesItself: boolean;
  /** What the tokens are to be made for. */
  readonly resource: string;
  /** Absent: the service does not report them. */
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
 * Reads how programs sign in to a service (RFC 9728, then RFC 8414). Throws `LOGIN_UNSUPPORTED` when it documents nothing of
 * the kind, `SERVICE_UNREACHABLE` when it does not answer.
 *
 * @param baseUrl address of the service before `/api`
 */
export async function findAuthorizationServer(baseUrl: string, signal?: AbortSignal): Promise<AuthorizationServer> {
  const resource = await readDocument(wellKnown(baseUrl, "oauth-protected-resource"), {
    schema: resourceSchema,
    signal,
  });
  const issuer = resource?.authorization_servers[0];
  if (resource === undefined || issuer === undefined) throw unsupported(baseUrl, "offers no login");
  if (!isSame(resource.resource, baseUrl)) throw unsupported(baseUrl, `says that it is ${resource.resource}`);
  checkSecure(issuer, baseUrl);
  const server = await readDocument(wellKnown(issuer, "oauth-authorization-server"), { schema: serverSchema, signal });
  if (server === undefined) throw unsupported(baseUrl, `names ${issuer}, which offers no login`);
  if (server.issuer !== issuer) throw unsupported(baseUrl, `names ${issuer}, which says that it is ${server.issuer}`);
  if (!server.code_challenge_methods_supported.includes("S256")) throw unsupported(baseUrl, "knows no PKCE with S256");
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

interface Reading<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly signal: AbortSignal | undefined;
}

async function readDocument<Schema extends z.ZodType>(
  address: string,
  { schema, signal }: Reading<Schema>,
): Promise<z.infer<Schema> | undefined> {
  const { status, json } = await sendForJson(address, { headers: {}, signal });
  return status === 200 ? schema.safeParse(json).data : undefined;
}

function isSame(first: string, second: string): boolean {
  return first.replace(/\/+$/, "") === second.replace(/\/+$/, "");
}

// What is sent there is as good as a key.
function checkSecure(endpoint: string, baseUrl: string): void {
  const { protocol, hostname } = new URL(endpoint);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (protocol === "https:" || (protocol === "http:" && (isHere || new URL(baseUrl).hostname === hostname))) return;
  throw unsupported(baseUrl, `wants secrets to be sent to ${endpoint} without encryption`);
}

function unsupported(baseUrl: string, why: string): ImprintError {
  return new ImprintError("LOGIN_UNSUPPORTED", `${baseUrl} ${why}.`);
}
