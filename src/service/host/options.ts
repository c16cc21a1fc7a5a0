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

/** How many requests are answered in one window; more get 429 with `Retry-After`. */
export interface RateLimit {
  /** Requests with one API key. */
  readonly perKey: number;
  /**
   * Requests without a valid key, from one address.
   *
   * @default 60
   */
  readonly perAddress?: number;
  /**
   * Length of the window, in seconds.
   *
   * @default 60
   */
  readonly windowSeconds?: number;
}

/** What `createService` and `startService` take. Everything has a default. */
export interface ServiceOptions {
  /**
   * The route set at the root of the service. `/a` and `/b` always serve that set.
   *
   * @default "a"
   */
  readonly routeSet?: RouteSetName;
  /**
   * Answers only what the specification shows and has no routes beyond it, to test a client against.
   *
   * @default false
   */
  readonly strict?: boolean;
  /**
   * Folder for the database and the files; made when it is missing.
   *
   * @default ".imprint"
   */
  readonly dataDir?: string;
  /**
   * A PostgreSQL database in the place of SQLite, as `postgres://user:password@host:5432/database`, for several
   * processes on one database. The tables are kept in the schema `imprint`, or in that which `?schema=name` names; it is
   * made when it is missing. Needs PostgreSQL 13 or newer. Throws `STORAGE_UNREACHABLE`.
   *
   * @default undefined (SQLite in `dataDir`)
   */
  readonly databaseUrl?: string | undefined;
  /**
   * Where the files of the library are kept: a bucket of an S3-compatible storage, for processes on several machines.
   * Throws `STORAGE_UNREACHABLE`.
   *
   * @default undefined (a folder in `dataDir`)
   */
  readonly blobs?: { readonly s3: S3Options } | undefined;
  /**
   * What a power cut may take back of SQLite: `normal`, pages and settings of the last moments, which the next run of a
   * publisher puts right; `full`, nothing that was answered, at the price of a disk flush for each write. What visitors
   * send through forms is always stored like `full`. PostgreSQL has a setting of its own (`synchronous_commit`).
   *
   * @default "normal"
   */
  readonly durability?: "full" | "normal";
  /**
   * Starts with an empty database though `dataDir` holds files of a service whose database is missing or empty. Without
   * it that throws `STATE_UNREADABLE`.
   *
   * @default false
   */
  readonly startsEmpty?: boolean;
  /**
   * Keeps everything in memory and a temporary folder that is removed on close; with `databaseUrl` in a schema of its
   * own that is dropped on close.
   *
   * @default false
   */
  readonly ephemeral?: boolean;
  /**
   * Address of the API and the dashboard, when a proxy stands in front.
   *
   * @default "http://localhost:<port>"
   */
  readonly appUrl?: string;
  /**
   * Address of published pages and library files, when a proxy stands in front. Its host must differ from that of
   * the API: a published page could otherwise use the dashboard's session.
   *
   * @default "http://127.0.0.1:<pagesPort>"
   */
  readonly pagesUrl?: string;
  /**
   * A proxy stands in front and adds the visitor's address to `X-Forwarded-For`. Without one anybody could write a false
   * address there, so leave it off then.
   *
   * @default false
   */
  readonly trustProxy?: boolean;
  /**
   * Counts views, visitors, clicks and scroll depth of published pages. A small script is put into a page when it is
   * served to a browser; it sets no cookie and stores nothing.
   *
   * @default true
   */
  readonly analytics?: boolean;
  /**
   * The plan of the account.
   *
   * @default "pro"
   */
  readonly plan?: Plan;
  /**
   * Plans that may use API keys; others get 402 `plan_required`.
   *
   * @default ["grow", "pro"]
   */
  readonly apiKeyPlans?: readonly Plan[];
  /**
   * Limits the rate of requests to the API.
   *
   * @default undefined (no limit)
   */
  readonly rateLimit?: RateLimit;
  /** Replaces single limits, such as `{ maxPageBytes: 1024 }`. */
  readonly limits?: Partial<Limits>;
  /**
   * Networks that the service may send requests to beside the public internet, such as `["10.0.0.0/8"]`: for
   * webhooks, imports and brand kits of hosts inside. The service's own addresses count as inside too. A malformed
   * one throws `OPTIONS_INVALID`.
   *
   * @default []
   */
  readonly allowNetworks?: readonly string[];
  /** How custom domains are looked after. */
  readonly domains?: DomainOptions;
  /**
   * Gets certificates for custom domains, so that they are served over HTTPS. Needs the package `acme-client`.
   *
   * @default undefined (no certificates)
   */
  readonly acme?: AcmeOptions;
  /**
   * Sends sign-in links, invitations and submissions of forms by mail. Links are shown where the service runs without it.
   *
   * @default undefined (no mail)
   */
  readonly mail?: MailOptions | undefined;
  /** How long the service keeps what grows by itself. */
  readonly retention?: Retention;
  /**
   * The Markdown posts of the project that the service runs in, which owners and editors may then change in the dashboard.
   * `imprint serve` gives them to a service that only this machine reaches.
   *
   * @default undefined (no files)
   */
  readonly projectFiles?: ProjectFiles | undefined;
  /**
   * Origins of web pages that may use `/mcp` from a browser, such as `["http://localhost:6274"]` for the MCP inspector.
   * Pages of other origins are refused; programs that are no browser send none. One that is no origin throws
   * `OPTIONS_INVALID`.
   *
   * @default []
   */
  readonly mcpOrigins?: readonly string[];
  /**
   * Sends webhooks, checks custom domains and forgets what is old by itself. When it is off, only `sendWebhooks()`,
   * `checkDomains()` and `runJobs()` of the handle do.
   *
   * @default true
   */
  readonly background?: boolean;
  /**
   * The time.
   *
   * @default () => new Date()
   */
  readonly now?: () => Date;
  /**
   * The source of randomness for ids and keys; gives as many bytes as it is asked for.
   *
   * @default crypto.randomBytes
   */
  readonly random?: RandomBytes;
  /** Where the service says what it does and what failed. Silent by default. */
  readonly logger?: Logger;
  /**
   * For development and tests: turns on the routes `/api/_reset`, `_seed`, `_snapshot`, `_restore`, `_faults`,
   * `_requests` and `_clock`, with `requests()` and `setFaults()` of the handle, and checks every response against the
   * contract (a mismatch is answered with 500).
   *
   * @default false
   */
  readonly dev?: boolean;
  /** Makes the service act like another implementation of the specification, to test a client against. */
  readonly quirks?: Partial<Quirks>;
}

/** Options with every default filled in; without `dataDir` they are ephemeral. */
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
    throw new ImprintError("OPTIONS_INVALID", `\`allowNetworks\` holds what is no network: ${messageOf(error)}`, {
      cause: error,
      hint: "Write networks as in `127.0.0.0/8` or `fd00::/8`.",
    });
  }
}

/** Takes origins as a browser writes them; throws `OPTIONS_INVALID` for what is none. */
function parseOrigins(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    if (URL.parse(text)?.origin === text) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`mcpOrigins\` holds ${JSON.stringify(text)}, which is no origin.`, {
      hint: "Write origins as in `http://localhost:6274`: scheme, host and port, without a slash at the end.",
    });
  }
  return texts;
}

/** How long the service keeps what grows by itself, in days; `null` keeps it for good. */
export interface Retention {
  /**
   * Requests to the API, as the dashboard lists them. Of a very busy service only the last 100,000 are kept.
   *
   * @default 7
   */
  readonly requestLogDays?: number | null;
  /**
   * Events, and deliveries of webhooks that are over.
   *
   * @default 30
   */
  readonly eventDays?: number | null;
  /**
   * What visitors sent through forms, with the events that report it.
   *
   * @default null
   */
  readonly submissionDays?: number | null;
  /**
   * Numbers of views, visitors, clicks and scroll depth. A query can span 400 days.
   *
   * @default 401
   */
  readonly statsDays?: number | null;
  /**
   * Entries of the audit log.
   *
   * @default 365
   */
  readonly auditDays?: number | null;
}

const DEFAULTS: Required<Retention> = {
  requestLogDays: 7,
  eventDays: 30,
  submissionDays: null,
  statsDays: 401,
  auditDays: 365,
};

/** Fills the defaults in; throws `OPTIONS_INVALID` for what is no number of days. */
export function resolveRetention(retention: Retention): Required<Retention> {
  for (const [name, days] of Object.entries(retention)) {
    const isKnown = Object.hasOwn(DEFAULTS, name);
    if (isKnown && (days === null || days === undefined || (Number.isInteger(days) && days >= 1))) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`retention.${name}\` is ${String(days)}.`, {
      hint: `Give a whole number of days, or null to keep it for good, for ${Object.keys(DEFAULTS).join(", ")}.`,
    });
  }
  return { ...DEFAULTS, ...withoutUndefined(retention) };
}

function withoutUndefined(retention: Retention): Retention {
  return Object.fromEntries(Object.entries(retention).filter(([, days]) => days !== undefined));
}
