import type { RouteSetName } from "../contract/route.ts";
import { discover, type Discovered } from "./discover.ts";
import {
  parseConnectionOptions,
  type ClientOptions,
  type ConnectionOptions,
  type ConnectOptions,
  type Settings,
} from "./options.ts";
import { createTransport } from "./transport/transport.ts";
import type { ImprintApi } from "./api.ts";
import { parseSignInLink } from "./records/account-records.ts";
import { createDomains, createEvents, createKeys, createWebhooks, readAccount } from "./resources/account.ts";
import { createAssets } from "./resources/assets.ts";
import { createBlogs, createBrandKits, createSites } from "./resources/content.ts";
import { createPages } from "./resources/pages.ts";
import { createAudit, createUsers } from "./resources/people.ts";
import { createRequests } from "./resources/requests.ts";
import { createReleases } from "./resources/releases.ts";
import { createRequest } from "./resources/request.ts";
import { createAnalytics, createForms, createSubmissions } from "./resources/visitors.ts";
import { createSession, type SessionSources } from "./session.ts";
import { createVisit } from "./without-key.ts";

/**
 * Connects to a service: detects its route set unless specified, and reads the account's permissions if the service
 * reports them (`GET /api/account`). Sends one request to our own service, up to three to another one that has a
 * library, and up to seven if the library is refused or missing.
 *
 * Throws `SERVICE_UNREACHABLE`, `SERVICE_WRONG_ADDRESS` if neither route set exists, `KEY_REJECTED`, `PLAN_REQUIRED`,
 * and `OPTIONS_INVALID` if the service reports the other route set or none of its responses shows which one it has.
 *
 * @example
 * const api = await connect({ baseUrl: "http://localhost:4400", apiKey });
 * api.capabilities.operations.has("posts.patch");
 */
export function connect(options: ConnectOptions): Promise<ImprintApi> {
  return connectEarly(options);
}

/** What to request while connecting to a service that was reached before. */
export interface EarlyRequests {
  /** The route set that it had. */
  readonly routeSet: RouteSetName;
  /**
   * Gets a client that knows nothing about the account. Returns a request for the files of the library, if any, whose
   * response shows that the service has that route set.
   */
  readonly request: (api: ImprintApi) => Promise<unknown> | undefined;
}

/**
 * Like `connect`, but sends first requests at the same time. If the service still has that route set and reports no
 * account, the result is the client that sent them.
 */
export async function connectEarly(options: ConnectOptions, early?: EarlyRequests): Promise<ImprintApi> {
  const settings = parseConnectionOptions(options);
  const transport = createTransport(settings);
  const { routeSet: wanted = "auto", likelyRouteSet: likely, signal, pagesUrl, dialect } = options;
  const found = { isProven: false };
  const create = (discovered: Pick<Discovered, "routeSet" | "account">) =>
    createApi({ transport, ...discovered, isProven: () => found.isProven, pagesUrl, dialect }, settings);
  const guessed = early && create({ routeSet: early.routeSet, account: undefined });
  try {
    const proof = guessed && early?.request(guessed);
    const discovered = await discover(transport, { wanted, likely, proof, signal });
    found.isProven = discovered.isProven;
    const isAsGuessed = discovered.account === undefined && discovered.routeSet === early?.routeSet;
    return (isAsGuessed ? guessed : undefined) ?? create(discovered);
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** Detects the route set of a service with one to three read-only requests. Throws like `connect`. */
export async function detectRouteSet(options: ConnectionOptions): Promise<RouteSetName> {
  const transport = createTransport(parseConnectionOptions(options));
  try {
    const { routeSet } = await discover(transport, { wanted: "auto", likely: undefined, signal: options.signal });
    return routeSet;
  } finally {
    await transport.close();
  }
}

/**
 * Creates a client for a service with a known route set. Sends nothing itself, so `capabilities` has the defaults of
 * the route set and no limits; `connect` also queries what the service supports.
 *
 * @example
 * const api = createClient({ baseUrl: "http://localhost:4400", apiKey, routeSet: "a" });
 * await api.pages.create({ slug: "hello", title: "Hello", html: "<!doctype html><title>Hello</title>" });
 * await api.close();
 */
export function createClient(options: ClientOptions): ImprintApi {
  const settings = parseConnectionOptions(options);
  const { routeSet, pagesUrl, dialect } = options;
  const transport = createTransport(settings);
  return createApi({ transport, routeSet, account: undefined, isProven: () => false, pagesUrl, dialect }, settings);
}

/** Adds the typed methods to one connection to the service. */
function createApi(sources: Omit<SessionSources, "logger">, settings: Settings): ImprintApi {
  const session = createSession({ ...sources, logger: settings.logger });
  const visit = createVisit(settings);
  return {
    baseUrl: session.baseUrl,
    // Where pages are published may be learned later.
    get capabilities() {
      return session.capabilities();
    },
    get dialect() {
      return session.dialect();
    },
    get concurrency() {
      return sources.transport.concurrency;
    },
    learn: (dialect) => session.learn(dialect, undefined),
    pages: createPages(session),
    sites: createSites(session),
    assets: createAssets(session, visit),
    ...createBlogs(session),
    brandKits: createBrandKits(session),
    forms: createForms(session),
    submissions: createSubmissions(session),
    analytics: createAnalytics(session),
    domains: createDomains(session),
    keys: createKeys(session),
    users: createUsers(session),
    audit: createAudit(session),
    requests: createRequests(session),
    releases: createReleases(session),
    webhooks: createWebhooks(session),
    events: createEvents(session),
    request: createRequest(session),
    async createSignInLink({ signal } = {}) {
      const { json, context } = await session.call("signInLinks.create", { signal });
      return parseSignInLink(json, context);
    },
    readAccount: (options) => readAccount(session, options),
    readUsage: async (options) => (await readAccount(session, options))?.usage,
    visit,
    close: () => session.close(),
  };
}
