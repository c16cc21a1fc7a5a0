import { ImprintError, messageOf } from "../../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { LIMITS, type Limits } from "../../contract/limits.ts";
import type { ProjectFiles } from "../../contract/project-files.ts";
import type { RouteSetName } from "../../contract/route.ts";
import { resolveAcme, resolveDomains, type AcmeOptions, type DomainOptions } from "../domains/domain-options.ts";
import { resolveMail, type MailOptions } from "../mail/mail-options.ts";
import { parseNetworks, type Networks } from "../guarded-fetch/networks.ts";
import {
  createRandomBytes,
  NO_QUIRKS,
  systemNow,
  type Plan,
  type Quirks,
  type RandomBytes,
} from "../resources/context.ts";
import type { S3Options } from "../store/s3-options.ts";

/** Maximum requests per time window; more get 429 with `Retry-After`. */
export interface RateLimit {
  /** Requests with one API key. */
  readonly perKey: number;
  /** Requests without a valid key, per IP address. @default 60 */
  readonly perAddress?: number;
  /** Length of the window, in seconds. @default 60 */
  readonly windowSeconds?: number;
}

/** Options of `createService` and `startService`. All have defaults. */
export interface ServiceOptions {
  /** The route set at the root of the service. `/a` and `/b` are always available. @default "a" */
  readonly routeSet?: RouteSetName;
  /** Responds only with what the specification shows, and has no other routes, for testing clients. @default false */
  readonly strict?: boolean;
  /** Folder for the database and the files; created if missing. @default ".imprint" */
  readonly dataDir?: string;
  /**
   * A PostgreSQL database to use instead of SQLite, such as `postgres://user:password@host:5432/database`, for several
   * processes on one database. The tables are in the schema `imprint`, or the one in `?schema=name`, which is created
   * if missing. Requires PostgreSQL 13 or later. Throws `STORAGE_UNREACHABLE`.
   *
   * @default undefined (SQLite in `dataDir`)
   */
  readonly databaseUrl?: string | undefined;
  /**
   * Storage of library files: a bucket of an S3-compatible storage, for processes on several machines. Throws
   * `STORAGE_UNREACHABLE`.
   *
   * @default undefined (a folder in `dataDir`)
   */
  readonly blobs?: { readonly s3: S3Options } | undefined;
  /**
   * What a power failure may lose with SQLite: `normal`, pages and settings of the last moments, which the publisher's
   * next run repairs; `full`, nothing that was confirmed, at the cost of a disk flush per write. Form submissions are
   * always stored as with `full`. PostgreSQL has its own setting (`synchronous_commit`).
   *
   * @default "normal"
   */
  readonly durability?: "full" | "normal";
  /**
   * Starts with an empty database even if `dataDir` contains files of a service whose database is missing or empty.
   * Otherwise, this throws `STATE_UNREADABLE`.
   *
   * @default false
   */
  readonly startsEmpty?: boolean;
  /**
   * Keeps everything in memory and a temporary folder that is removed on close; with `databaseUrl`, in a temporary
   * schema that is dropped on close.
   *
   * @default false
   */
  readonly ephemeral?: boolean;
  /** URL of the API and the dashboard, if behind a proxy. @default "http://localhost:<port>" */
  readonly appUrl?: string;
  /**
   * URL of published pages and library files, if behind a proxy. Its host must differ from that of the API: otherwise,
   * a published page could use the dashboard's session.
   *
   * @default "http://127.0.0.1:<pagesPort>"
   */
  readonly pagesUrl?: string;
  /**
   * The service is behind a proxy that adds the visitor's address to `X-Forwarded-For`. Leave it off without a proxy,
   * because anyone could then send a false address.
   *
   * @default false
   */
  readonly trustProxy?: boolean;
  /**
   * Counts views, visitors, clicks and scroll depth of published pages, with a small script added to pages served to
   * browsers. It sets no cookies and stores nothing.
   *
   * @default true
   */
  readonly analytics?: boolean;
  /** The account's plan. @default "pro" */
  readonly plan?: Plan;
  /** Plans that include API keys; others get 402 `plan_required`. @default ["grow", "pro"] */
  readonly apiKeyPlans?: readonly Plan[];
  /** Rate limit for API requests. @default undefined (no limit) */
  readonly rateLimit?: RateLimit;
  /** Overrides individual limits, such as `{ maxPageBytes: 1024 }`. */
  readonly limits?: Partial<Limits>;
  /**
   * Networks that the service may send requests to in addition to the public internet, such as `["10.0.0.0/8"]`: for
   * webhooks, imports and brand kits from internal hosts, including the service's own addresses. An invalid network
   * throws `OPTIONS_INVALID`.
   *
   * @default []
   */
  readonly allowNetworks?: readonly string[];
  /** Settings for custom domains. */
  readonly domains?: DomainOptions;
  /**
   * Obtains certificates to serve custom domains over HTTPS. Requires the package `acme-client`.
   *
   * @default undefined (no certificates)
   */
  readonly acme?: AcmeOptions;
  /**
   * Sends sign-in links, invitations and form submissions by mail. Without it, links are logged by the service.
   *
   * @default undefined (no mail)
   */
  readonly mail?: MailOptions | undefined;
  /** How long the service keeps growing data. */
  readonly retention?: Retention;
  /**
   * The Markdown posts of the project in which the service runs; owners and editors can edit them in the dashboard.
   * `imprint serve` sets it for a service that only this machine can reach.
   *
   * @default undefined (no files)
   */
  readonly projectFiles?: ProjectFiles | undefined;
  /**
   * Origins of web pages that may use `/mcp` from a browser, such as `["http://localhost:6274"]` for the MCP inspector.
   * Other origins are rejected; programs other than browsers send none. An invalid origin throws `OPTIONS_INVALID`.
   *
   * @default []
   */
  readonly mcpOrigins?: readonly string[];
  /**
   * Sends webhooks, checks custom domains and deletes old data in the background. If `false`, only the handle's
   * `sendWebhooks()`, `checkDomains()` and `runJobs()` do.
   *
   * @default true
   */
  readonly background?: boolean;
  /** Returns the current time. @default () => new Date() */
  readonly now?: () => Date;
  /** The source of randomness for ids and keys; returns the requested number of bytes. @default crypto.randomBytes */
  readonly random?: RandomBytes;
  /** Receives the service's log messages. Silent by default. */
  readonly logger?: Logger;
  /**
   * For development and tests: enables the routes `/api/_reset`, `_seed`, `_snapshot`, `_restore`, `_faults`,
   * `_requests` and `_clock`, and the handle's `requests()` and `setFaults()`, and validates every response against the
   * contract (a mismatch responds with 500).
   *
   * @default false
   */
  readonly dev?: boolean;
  /** Makes the service behave like another implementation of the specification, for testing clients. */
  readonly quirks?: Partial<Quirks>;
}

/** Options with all defaults applied; without `dataDir`, the service is ephemeral. */
export type Settings = Readonly<ReturnType<typeof resolveSettings>>;

export function resolveSettings(options: ServiceOptions) {
  return {
    routeSet: options.routeSet ?? "a",
    strict: options.strict ?? false,
    dataDir: options.ephemeral === true ? undefined : (options.dataDir ?? ".imprint"),
    databaseUrl: options.databaseUrl,
    s3: options.blobs?.s3,
    durability: options.durability ?? "normal",
    startsEmpty: options.startsEmpty ?? false,
    trustProxy: options.trustProxy ?? false,
    analytics: options.analytics ?? true,
    plan: options.plan ?? "pro",
    apiKeyPlans: options.apiKeyPlans ?? ["grow", "pro"],
    rateLimit: options.rateLimit && { perAddress: 60, windowSeconds: 60, ...options.rateLimit },
    limits: { ...LIMITS, ...options.limits },
    allowNetworks: parseAllowed(options.allowNetworks ?? []),
    domains: resolveDomains(options.domains),
    acme: resolveAcme(options.acme),
    mail: resolveMail(options.mail),
    mcpOrigins: parseOrigins(options.mcpOrigins ?? []),
    retention: resolveRetention(options.retention ?? {}),
    projectFiles: options.projectFiles,
    background: options.background ?? true,
    now: options.now ?? systemNow,
    random: options.random ?? createRandomBytes(),
    logger: options.logger ?? SILENT_LOGGER,
    dev: options.dev ?? false,
    quirks: { ...NO_QUIRKS, ...options.quirks },
  };
}

function parseAllowed(texts: readonly string[]): Networks {
  try {
    return parseNetworks(texts);
  } catch (error) {
    throw new ImprintError("OPTIONS_INVALID", `\`allowNetworks\` contains an invalid network: ${messageOf(error)}`, {
      cause: error,
      hint: "Write networks as in `127.0.0.0/8` or `fd00::/8`.",
    });
  }
}

/** Accepts origins as browsers send them. Throws `OPTIONS_INVALID` for anything else. */
function parseOrigins(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    if (URL.parse(text)?.origin === text) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`mcpOrigins\` contains ${JSON.stringify(text)}, not an origin.`, {
      hint: "Write origins as in `http://localhost:6274`: scheme, host and port, without a trailing slash.",
    });
  }
  return texts;
}

/** How long the service keeps growing data, in days; `null` keeps it forever. */
export interface Retention {
  /** API requests in the dashboard's log. A very busy service keeps only the last 100,000. @default 7 */
  readonly requestLogDays?: number | null;
  /** Events and finished webhook deliveries. @default 30 */
  readonly eventDays?: number | null;
  /** Form submissions and their events. @default null */
  readonly submissionDays?: number | null;
  /** Counts of views, visitors, clicks and scroll depth. A query can span 400 days. @default 401 */
  readonly statsDays?: number | null;
  /** Audit log entries. @default 365 */
  readonly auditDays?: number | null;
}

const DEFAULTS: Required<Retention> = {
  requestLogDays: 7,
  eventDays: 30,
  submissionDays: null,
  statsDays: 401,
  auditDays: 365,
};

/** Applies defaults. Throws `OPTIONS_INVALID` for an invalid number of days. */
export function resolveRetention(retention: Retention): Required<Retention> {
  for (const [name, days] of Object.entries(retention)) {
    const isKnown = Object.hasOwn(DEFAULTS, name);
    if (isKnown && (days === null || days === undefined || (Number.isInteger(days) && days >= 1))) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`retention.${name}\` is ${String(days)}.`, {
      hint: `Use a whole number of days, or null to keep data forever, for ${Object.keys(DEFAULTS).join(", ")}.`,
    });
  }
  return { ...DEFAULTS, ...withoutUndefined(retention) };
}

function withoutUndefined(retention: Retention): Retention {
  return Object.fromEntries(Object.entries(retention).filter(([, days]) => days !== undefined));
}
