import { ImprintError } from "../base/error.ts";
import type { StartOptions } from "../service.ts";

export interface DomainFlags {
  readonly dnsServer?: readonly string[];
  readonly publicAddress?: readonly string[];
  readonly acme?: string;
  readonly agreeTerms?: boolean;
  readonly acmeDirectory?: string;
  readonly httpsPort?: string;
  readonly httpsPublicPort?: string;
}

export function domainOptions(flags: DomainFlags): StartOptions {
  const { dnsServer = [], publicAddress = [] } = flags;
  return {
    domains: { dnsServers: dnsServer, addresses: publicAddress },
    ...acmeOptions(flags),
  };
}

function acmeOptions(flags: DomainFlags): StartOptions {
  const { acme: email, agreeTerms, acmeDirectory: directoryUrl, httpsPort, httpsPublicPort } = flags;
  if (email === undefined) {
    const given = Object.entries({
      ...{ "--agree-terms": agreeTerms, "--acme-directory": directoryUrl },
      ...{ "--https-port": httpsPort, "--https-public-port": httpsPublicPort },
    });
    const unused = given.find(([, value]) => value !== undefined);
    if (unused === undefined) return {};
    throw new ImprintError("USAGE", `${unused[0]} needs --acme with your email address.`);
  }
  if (agreeTerms !== true) {
    throw new ImprintError("USAGE", "--acme needs --agree-terms: certificates come with terms of service.", {
      hint: "Read the terms of the certificate authority first: https://letsencrypt.org/repository/",
    });
  }
  const publicPort = parsePort("--https-public-port", httpsPublicPort ?? "443");
  return {
    httpsPort: parsePort("--https-port", httpsPort ?? "4402"),
    acme: { email, agree: true, publicPort, ...(directoryUrl !== undefined && { directoryUrl }) },
  };
}

/** Parses the port of a flag; throws `USAGE`. */
export function parsePort(flag: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ImprintError("USAGE", `${flag} accepts a number from 0 to 65535, not "${text}".`);
}

const RETENTION = {
  requests: "requestLogDays",
  events: "eventDays",
  submissions: "submissionDays",
  stats: "statsDays",
  audit: "auditDays",
} as const;

const LIMITS = {
  pages: "maxPages",
  sites: "maxSites",
  domains: "maxDomains",
  keys: "maxKeys",
  webhooks: "maxWebhooks",
} as const;

/** Reads `--keep events=90 submissions=forever`; throws `USAGE`. */
export function parseRetention(texts: readonly string[]): NonNullable<StartOptions["retention"]> {
  const example = "days or `forever`, as in `--keep events=90 submissions=forever`";
  return parsePairs(texts, { flag: "--keep", names: RETENTION, pattern: /^(?:[1-9]\d{0,4}|forever)$/, example });
}

/** Reads `--limit pages=100000 sites=500`; throws `USAGE`. */
export function parseLimits(texts: readonly string[]): NonNullable<StartOptions["limits"]> {
  const example = "a number, as in `--limit pages=100000 sites=500`";
  return parsePairs(texts, { flag: "--limit", names: LIMITS, pattern: /^[1-9]\d{0,8}$/, example });
}

interface PairsFlag {
  readonly flag: string;
  /** The service's option for each name before the equals sign. */
  readonly names: Readonly<Record<string, string>>;
  readonly pattern: RegExp;
  readonly example: string;
}

function parsePairs(texts: readonly string[], { flag, names, pattern, example }: PairsFlag) {
  return Object.fromEntries(
    texts.map((text): readonly [string, number | null] => {
      const [name = "", value = "", ...rest] = text.split("=");
      const option = Object.hasOwn(names, name) ? names[name] : undefined;
      if (option !== undefined && rest.length === 0 && pattern.test(value)) {
        return [option, value === "forever" ? null : Number(value)];
      }
      throw new ImprintError("USAGE", `${flag} doesn't accept "${text}".`, {
        hint: `Use ${example}; names are ${Object.keys(names).join(", ")}.`,
      });
    }),
  );
}

export interface HostingFlags {
  readonly databaseUrl?: string;
  readonly host?: string;
  readonly appUrl?: string;
  readonly pagesUrl?: string;
  readonly trustProxy?: boolean;
  readonly ephemeral?: boolean;
}

export interface MailFlags {
  readonly smtpUrl?: string;
  readonly mailFrom?: string;
}

/** Reads the mail settings from the flags, else from the environment; throws `USAGE`. */
export function readMail(flags: MailFlags, environment: Environment): StartOptions["mail"] {
  const smtpUrl = (flags.smtpUrl ?? environment["IMPRINT_SMTP_URL"]) || undefined;
  const from = (flags.mailFrom ?? environment["IMPRINT_MAIL_FROM"]) || undefined;
  if (smtpUrl === undefined && flags.mailFrom !== undefined) {
    throw new ImprintError("USAGE", "--mail-from needs --smtp-url, the mail server.", {
      hint: "Such as --smtp-url smtps://user:password@mail.example.org, or IMPRINT_SMTP_URL.",
    });
  }
  if (smtpUrl === undefined) return undefined;
  if (from !== undefined) return { smtpUrl, from };
  throw new ImprintError("USAGE", "--smtp-url needs --mail-from, the sender's address.", {
    hint: "Such as --mail-from 'Imprint <imprint@example.org>', or IMPRINT_MAIL_FROM.",
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the hosting settings from the flags, else from the environment. */
export function readHosting(flags: HostingFlags, environment: Environment) {
  // Node listens on every interface if the host name is empty.
  const hostname = (flags.host ?? environment["IMPRINT_HOST"]) || undefined;
  const appUrl = parseAddress("--app-url", flags.appUrl ?? environment["IMPRINT_APP_URL"]);
  const pagesUrl = parseAddress("--pages-url", flags.pagesUrl ?? environment["IMPRINT_PAGES_URL"]);
  return {
    databaseUrl: flags.databaseUrl ?? (flags.ephemeral === true ? undefined : findDatabaseUrl(environment)),
    blobs: flags.ephemeral === true ? undefined : readBucket(environment),
    trustProxy: flags.trustProxy ?? isOn("IMPRINT_TRUST_PROXY", environment),
    ...(hostname !== undefined && { hostname }),
    ...(appUrl !== undefined && { appUrl }),
    ...(pagesUrl !== undefined && { pagesUrl }),
  };
}

/** Describes where the service stores its data, without passwords. */
export function describeData(
  { databaseUrl, blobs }: Pick<ReturnType<typeof readHosting>, "databaseUrl" | "blobs">,
  { data, ephemeral }: { readonly data: string; readonly ephemeral?: boolean },
): string {
  const folder = ephemeral === true ? "memory, until it stops" : data;
  const database = databaseUrl === undefined ? folder : `PostgreSQL at ${URL.parse(databaseUrl)?.host ?? "localhost"}`;
  if (blobs === undefined) return databaseUrl === undefined ? folder : `${database}, files in ${folder}`;
  return `${database}, files in the bucket ${blobs.s3.bucket}`;
}

// Many programs use this variable, so another kind of database isn't meant for this one.
function findDatabaseUrl({ DATABASE_URL: url }: Environment): string | undefined {
  return url !== undefined && /^postgres(?:ql)?:/.test(url) ? url : undefined;
}

const REQUIRED = ["IMPRINT_S3_ENDPOINT", "IMPRINT_S3_ACCESS_KEY_ID", "IMPRINT_S3_SECRET_ACCESS_KEY"] as const;

function readBucket(environment: Environment) {
  const { IMPRINT_S3_BUCKET: bucket, IMPRINT_S3_REGION: region, IMPRINT_S3_PREFIX: prefix } = environment;
  if (bucket === undefined || bucket === "") return undefined;
  const missing = REQUIRED.filter((name) => (environment[name] ?? "") === "");
  if (missing.length > 0) {
    throw new ImprintError("USAGE", `IMPRINT_S3_BUCKET is set, but ${missing.join(", ")} is missing.`);
  }
  const [endpoint = "", accessKeyId = "", secretAccessKey = ""] = REQUIRED.map((name) => environment[name]);
  return { s3: { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix } };
}

function parseAddress(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text;
  throw new ImprintError("USAGE", `${flag} accepts an address such as https://pages.example.org, not "${text}".`);
}

// Throws for other values: ignoring them would leave a service behind a proxy without its visitors' addresses.
function isOn(name: string, environment: Environment): boolean {
  const text = environment[name] ?? "";
  if (["1", "true"].includes(text)) return true;
  if (["", "0", "false"].includes(text)) return false;
  throw new ImprintError("USAGE", `${name} accepts 1 or 0, not "${text}".`);
}
