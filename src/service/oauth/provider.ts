import { generateKeyPairSync } from "node:crypto";
import type { Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import { createId } from "../resources/context.ts";
import { hasGrant } from "../store/oauth.ts";
import { createAdapterFactory, grantConsent, LIFETIMES } from "./adapter.ts";
import { findAudience, OAUTH_PATHS, resourceOf } from "../auth/addresses.ts";
import { GRANTABLE_SCOPES } from "../auth/grantable-scopes.ts";

/** What the library reports beside its response to one request. */
export interface ProviderNotes {
  /** A person has to be asked. */
  onConsent(context: KoaContextWithOIDC, uid: string): void;
  /** Something failed that is no mistake of the program that asks. */
  onFailure(error: unknown): void;
}

/** Sets oidc-provider up as we need it. Loading it takes a while, so only a service that is asked for OAuth does. */
export async function createProvider(core: Core, notes: ProviderNotes): Promise<Provider> {
  const { Provider, errors } = await import("oidc-provider");
  const { appUrl } = core.addresses;
  const provider = new Provider(appUrl, configure(core, { notes, errors }));
  // Only a proxy of our own stands in front: `askProvider`, which says under which address the service is known.
  provider.proxy = true;
  provider.on("server_error", (_, error) => notes.onFailure(error));
  nameTokens(provider, core);
  provider.Client.prototype.compareClientSecret = compareSecret;
  return provider;
}

type Errors = (typeof import("oidc-provider"))["errors"];

function configure(
  core: Core,
  { notes, errors }: { readonly notes: ProviderNotes; readonly errors: Errors },
): Configuration {
  return {
    adapter: createAdapterFactory({ ...core, InvalidGrant: errors.InvalidGrant }),
    routes: {
      authorization: OAUTH_PATHS.authorize,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.register,
      revocation: OAUTH_PATHS.revoke,
    },
    scopes: [],
    claims: {},
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
    clientDefaults: { grant_types: ["authorization_code", "refresh_token"], id_token_signed_response_alg: "ES256" },
    extraClientMetadata: {
      properties: ["software_id"],
      validator: (...[, , , metadata]) => {
        // Redirects of programs on the person's own machine may use any port (RFC 8252, section 7.3), all others have to
        // be https or of a scheme of the program's own: what the library holds native programs to.
        metadata.application_type = "native";
        // A program may ask for more later; what it gets is decided by the person alone.
        delete metadata.scope;
        // Nobody can make the service fetch something by registering.
        delete metadata.sector_identifier_uri;
        delete metadata.jwks_uri;
      },
    },
    features: configureFeatures(core, errors),
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      url(context, interaction) {
        notes.onConsent(context, interaction.uid);
        return OAUTH_PATHS.authorize;
      },
    },
    loadExistingGrant: (context) => grantConsent(core, context),
    renderError(context, out) {
      context.type = "json";
      context.body = JSON.stringify(out);
    },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: LIFETIMES.accessTokenSeconds,
      AuthorizationCode: LIFETIMES.codeSeconds,
      RefreshToken: LIFETIMES.refreshTokenSeconds,
      Grant: LIFETIMES.refreshTokenSeconds,
      Interaction: LIFETIMES.consentSeconds,
      Session: LIFETIMES.consentSeconds,
    },
    // Nothing is ever signed, but the library wants a key.
    jwks: { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] },
    cookies: { keys: [], names: COOKIES },
    fetch: (address) => fetchClientDocument(core, String(address)),
  };
}

/** The library's cookies, which never reach a browser. */
export const COOKIES = { session: "session", interaction: "consent", resume: "consent_answer" } as const;

function configureFeatures(core: Core, errors: Errors): Configuration["features"] {
  const { appUrl } = core.addresses;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // A program takes back what is its own, and learns nothing of what is not.
    revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
    registration: {
      enabled: true,
      idFactory: () => createId("client", core.settings.random),
      issueRegistrationAccessToken: false,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_, __, oneOf) => (oneOf === undefined ? resourceOf(appUrl, "mcp") : (oneOf[0] ?? oneOf)),
      getResourceServerInfo(_, resource) {
        const audience = findAudience(appUrl, resource);
        if (audience === undefined) throw new errors.InvalidTarget("this server gives out no tokens for the resource");
        return { scope: GRANTABLE_SCOPES.join(" "), audience, accessTokenFormat: "opaque" };
      },
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      // Anybody could otherwise let the service fetch any address, by asking for a token.
      allowFetch: async (context, clientId) =>
        context.oidc.route === "authorization" || (await hasGrant(core.store.database, clientId, core.now())),
    },
  };
}

// The beginning of a text says what it is, as with API keys. The library draws the 256 random bits after it.
function nameTokens(provider: Provider, { settings }: Core): void {
  const prefixes = { AccessToken: "at_", RefreshToken: "rt_", AuthorizationCode: "ac_" } as const;
  for (const model of ["AccessToken", "RefreshToken", "AuthorizationCode"] as const) {
    const { prototype } = provider[model];
    const draw: unknown = Reflect.get(prototype, "generateTokenId");
    if (typeof draw !== "function") throw new TypeError(`oidc-provider draws no ${model}.`);
    Object.defineProperty(prototype, "generateTokenId", {
      value(this: unknown) {
        return `${prefixes[model]}${String(Reflect.apply(draw, this, []))}`;
      },
    });
  }
  Object.defineProperty(provider.Grant.prototype, "generateTokenId", {
    value: () => createId("grant", settings.random),
  });
}

// Only the SHA-256 of a secret is stored, which takes the place of the secret in the client.
function compareSecret(this: { readonly clientSecret?: string | undefined }, actual: string): boolean {
  return this.clientSecret === sha256(actual);
}

const DOCUMENT_TIMEOUT_MS = 5_000;
// The library reads at most 5 KiB of it.
const MAX_DOCUMENT_BYTES = 8 * 1024;

/** Fetches how a program describes itself at the address that it is known by. */
async function fetchClientDocument({ remote, imports }: Core, address: string): Promise<Response> {
  const { status, headers, bytes } = await imports.run(() =>
    remote.fetch(address, {
      headers: { accept: "application/json" },
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      maxRedirects: 0,
      maxBytes: MAX_DOCUMENT_BYTES,
      whenLarger: "refuse",
    }),
  );
  const kept = ["cache-control", "expires", "content-type"].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Response(bytes, { status, headers: Object.fromEntries(kept) });
}
