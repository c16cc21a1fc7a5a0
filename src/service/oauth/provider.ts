import { AsyncLocalStorage } from "node:async_hooks";
import { generateKeyPairSync } from "node:crypto";
import type { Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import { createId } from "../resources/context.ts";
import { hasGrant, useToken } from "../store/oauth.ts";
import { createAdapterFactory, grantConsent, LIFETIMES } from "./adapter.ts";
import { findAudience, OAUTH_PATHS, resourceOf } from "../auth/addresses.ts";
import { GRANTABLE_SCOPES } from "../auth/grantable-scopes.ts";

/** A request to the library. */
export interface ProviderRequest {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Id of the consent form that the user submitted. */
  readonly answered?: string;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Set if a user has to consent first. */
  readonly consent: Consent | undefined;
}

/** A valid authorization request that a user has to decide on. */
export interface Consent {
  /** One-time id of the form. */
  readonly uid: string;
  readonly context: KoaContextWithOIDC;
}

/** The library with its web framework but without a socket: it takes a request and returns a response. */
export interface ProviderPort {
  ask(request: ProviderRequest): Promise<ProviderAnswer>;
  /** Stores the user's decision for the next request with `answered`. Returns `false` if it is too late. */
  settle(uid: string, result: Readonly<Record<string, unknown>>): Promise<boolean>;
}

/** What the library reports besides its response. */
interface Notes {
  consent: Consent | undefined;
  /** A failure that isn't the program's fault. */
  failure: unknown;
  /** The refresh token that replaces the used one. */
  successor: string | undefined;
  /** Path of the request. */
  readonly path: string;
}

const NO_NOTES: Notes = { consent: undefined, failure: undefined, successor: undefined, path: "" };

/** Nothing is loaded until the first request. */
export function createProviderPort(core: Core): ProviderPort {
  let opening: Promise<ProviderPort> | undefined;

  function open(): Promise<ProviderPort> {
    opening ??= openProvider(core).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    ask: async (request) => (await open()).ask(request),
    settle: async (uid, result) => (await open()).settle(uid, result),
  };
}

async function openProvider(core: Core): Promise<ProviderPort> {
  const { inject } = await import("light-my-request");
  const asking = new AsyncLocalStorage<Notes>();
  const provider = await createProvider(core, () => asking.getStore() ?? { ...NO_NOTES });
  const handle = provider.callback();
  const { host, protocol } = new URL(core.addresses.appUrl);
  return {
    async ask({ method, path, headers = {}, body, answered }) {
      const notes: Notes = { ...NO_NOTES, path };
      // `inject` sends when awaited, which must happen within the context of the notes.
      const response = await asking.run(
        notes,
        async () =>
          await inject((request, reply) => void handle(request, reply), {
            method,
            url: path,
            headers: { ...headers, host, "x-forwarded-proto": protocol.slice(0, -1) },
            ...(answered === undefined ? {} : { cookies: { [COOKIES.resume]: answered } }),
            ...(body === undefined ? {} : { payload: Buffer.from(body) }),
          }),
      );
      // The host reports this like any other failure of the service.
      if (notes.failure !== undefined) throw notes.failure;
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.payload,
        consent: notes.consent,
      };
    },
    async settle(uid, result) {
      const interaction = await provider.Interaction.find(uid);
      const name = { kind: "Interaction", hash: sha256(uid) };
      if (interaction === undefined || !(await useToken(core.store.database, name, { now: core.now() }))) return false;
      interaction.result = { ...result };
      await interaction.persist();
      return true;
    },
  };
}

/** Configures oidc-provider. Loading it takes a while, so it is loaded on demand. */
async function createProvider(core: Core, notesOf: () => Notes): Promise<Provider> {
  const { Provider, errors } = await import("oidc-provider");
  const { appUrl } = core.addresses;
  const provider = new Provider(appUrl, configure(core, notesOf, errors));
  // The only proxy is our own: `createProviderPort`, which sets the service's public host.
  provider.proxy = true;
  provider.on("server_error", (_, error) => {
    notesOf().failure = error;
  });
  nameTokens(provider, core, () => notesOf().successor);
  provider.Client.prototype.compareClientSecret = compareSecret;
  return provider;
}

type Errors = (typeof import("oidc-provider"))["errors"];

function configure(core: Core, notesOf: () => Notes, errors: Errors): Configuration {
  return {
    adapter: createAdapterFactory({
      ...core,
      InvalidGrant: errors.InvalidGrant,
      noteSuccessor(text) {
        notesOf().successor = text;
      },
      isRevocation: () => notesOf().path.startsWith(OAUTH_PATHS.revoke),
    }),
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
        // Redirects of programs on the user's own machine may use any port (RFC 8252, section 7.3); all others must be
        // https or have a custom scheme. The library enforces this for native programs.
        metadata.application_type = "native";
        // A program may request more scopes later; only the user decides what it gets.
        delete metadata.scope;
        // Prevents registrations from making the service fetch URLs.
        delete metadata.sector_identifier_uri;
        delete metadata.jwks_uri;
      },
    },
    features: configureFeatures(core, errors),
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      url(context, interaction) {
        notesOf().consent = { uid: interaction.uid, context };
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
    // Nothing is ever signed, but the library requires a key.
    jwks: { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] },
    cookies: { keys: [], names: COOKIES },
    fetch: (address) => fetchClientDocument(core, String(address)),
  };
}

/** The library's cookies, which are never sent to a browser. */
const COOKIES = { session: "session", interaction: "consent", resume: "consent_answer" } as const;

function configureFeatures(core: Core, errors: Errors): Configuration["features"] {
  const { appUrl } = core.addresses;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // A program can revoke only its own tokens, and learns nothing about others.
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
        if (audience === undefined) throw new errors.InvalidTarget("this server issues no tokens for the resource");
        return { scope: GRANTABLE_SCOPES.join(" "), audience, accessTokenFormat: "opaque" };
      },
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      // Otherwise, anyone could make the service fetch any URL by requesting a token.
      allowFetch: async (context, clientId) =>
        context.oidc.route === "authorization" || (await hasGrant(core.store.database, clientId, core.now())),
    },
  };
}

// A prefix identifies the kind of token, as with API keys. The library generates the 256 random bits after it.
function nameTokens(provider: Provider, { settings }: Core, findSuccessor: () => string | undefined): void {
  const prefixes = { AccessToken: "at_", RefreshToken: "rt_", AuthorizationCode: "ac_" } as const;
  for (const model of ["AccessToken", "RefreshToken", "AuthorizationCode"] as const) {
    const { prototype } = provider[model];
    const draw: unknown = Reflect.get(prototype, "generateTokenId");
    if (typeof draw !== "function") throw new TypeError(`oidc-provider can't generate ${model} ids.`);
    Object.defineProperty(prototype, "generateTokenId", {
      value(this: unknown) {
        const successor = model === "RefreshToken" ? findSuccessor() : undefined;
        return `${prefixes[model]}${successor ?? String(Reflect.apply(draw, this, []))}`;
      },
    });
  }
  Object.defineProperty(provider.Grant.prototype, "generateTokenId", {
    value: () => createId("grant", settings.random),
  });
}

// Only the SHA-256 of a secret is stored, as the client's secret.
function compareSecret(this: { readonly clientSecret?: string | undefined }, actual: string): boolean {
  return this.clientSecret === sha256(actual);
}

const DOCUMENT_TIMEOUT_MS = 5_000;
// The library reads at most 5 KiB.
const MAX_DOCUMENT_BYTES = 8 * 1024;

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
