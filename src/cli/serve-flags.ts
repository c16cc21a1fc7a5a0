import type { Command } from "commander";
import { ImprintError } from "../base/error.ts";
import type { StartOptions } from "../service.ts";

/** Flags of `imprint serve` for custom domains and their certificates. */
export interface DomainFlags {
  readonly dnsServer?: readonly string[];
  readonly publicAddress?: readonly string[];
  readonly acme?: string;
  readonly agreeTerms?: boolean;
  readonly acmeDirectory?: string;
  readonly httpsPort: string;
  readonly httpsPublicPort: string;
}

export function withDomainFlags(command: Command): Command {
  return command
    .option("--public-address <ip...>", "IP addresses for domains that can't have a CNAME")
    .option("--dns-server <address...>", "DNS servers that custom domains are looked up at (default: the system's)")
    .option("--acme <email>", "get certificates for custom domains; needs the package acme-client")
    .option("--agree-terms", "you accept the terms of the certificate authority")
    .option("--acme-directory <url>", "another certificate authority than Let's Encrypt")
    .option("--https-port <number>", "port of custom domains over HTTPS, with --acme", "4402")
    .option("--https-public-port <number>", "port under which visitors reach it", "443");
}

/** What the flags say, as the service takes it. */
export function domainOptions(flags: DomainFlags): StartOptions {
  const { dnsServer = [], publicAddress = [] } = flags;
  return {
    domains: { dnsServers: dnsServer, addresses: publicAddress },
    ...acmeOptions(flags),
  };
}

function acmeOptions(flags: DomainFlags): StartOptions {
  const { acme: email, agreeTerms, acmeDirectory: directoryUrl } = flags;
  if (email === undefined) return {};
  if (agreeTerms !== true) {
    throw new ImprintError("USAGE", "--acme needs --agree-terms: certificates come with terms of service.", {
      hint: "Read the terms of the certificate authority first: https://letsencrypt.org/repository/",
    });
  }
  const publicPort = parsePort("--https-public-port", flags.httpsPublicPort);
  return {
    httpsPort: parsePort("--https-port", flags.httpsPort),
    acme: { email, agree: true, publicPort, ...(directoryUrl !== undefined && { directoryUrl }) },
  };
}

/** A port as it is written after a flag; throws `USAGE`. */
export function parsePort(flag: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ImprintError("USAGE", `${flag} takes a number from 0 to 65535, not "${text}".`);
}

const OPTIONS = {
  requests: "requestLogDays",
  events: "eventDays",
  submissions: "submissionDays",
  stats: "statsDays",
} as const;

type Retention = { readonly [Name in (typeof OPTIONS)[keyof typeof OPTIONS]]?: number | null };

/** Reads `--keep events=90 submissions=forever`; throws `USAGE`. */
export function parseRetention(texts: readonly string[]): Retention {
  return Object.fromEntries(texts.map(parseOne));
}

function parseOne(text: string): readonly [string, number | null] {
  const [, name = "", days = ""] = /^([a-z]+)=(\d{1,5}|forever)$/.exec(text) ?? [];
  if (isName(name) && days !== "0") return [OPTIONS[name], days === "forever" ? null : Number(days)];
  throw new ImprintError("USAGE", `--keep does not know "${text}".`, {
    hint: `Write days or \`forever\`, as in \`--keep events=90 submissions=forever\`; there are ${Object.keys(OPTIONS).join(", ")}.`,
  });
}

function isName(name: string): name is keyof typeof OPTIONS {
  return Object.hasOwn(OPTIONS, name);
}
