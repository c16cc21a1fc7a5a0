import { isIP } from "node:net";
import { ImprintError } from "../../base/error.ts";

/** How the service looks after custom domains. */
export interface DomainOptions {
  /**
   * DNS servers that are asked, as `"1.1.1.1"` or `"127.0.0.1:8053"`.
   *
   * @default those of the system
   */
  readonly dnsServers?: readonly string[];
  /**
   * Public IP addresses of the published pages, for registered domains such as `example.org`, which can't have a
   * CNAME. Without them their owners are asked to set an ALIAS.
   *
   * @default []
   */
  readonly addresses?: readonly string[];
}

/** Certificates for custom domains from a certificate authority that speaks ACME. */
export interface AcmeOptions {
  /** Where the authority writes when something is wrong with a certificate. */
  readonly email: string;
  /** You have read and accept the authority's terms of service. */
  readonly agree: true;
  /**
   * The authority.
   *
   * @default "https://acme-v02.api.letsencrypt.org/directory"
   */
  readonly directoryUrl?: string;
  /**
   * The port under which visitors reach the HTTPS listener from outside; they are sent on to it from plain HTTP.
   *
   * @default 443
   */
  readonly publicPort?: number;
}

export type DomainSettings = Required<DomainOptions>;
export type AcmeSettings = Required<AcmeOptions>;

export const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";

/** Fills in defaults; throws `OPTIONS_INVALID`. */
export function resolveDomains({ dnsServers = [], addresses = [] }: DomainOptions = {}): DomainSettings {
  for (const server of dnsServers) if (!isServer(server)) throw invalid("dnsServers", server, "127.0.0.1:8053");
  for (const address of addresses) if (isIP(address) === 0) throw invalid("addresses", address, "203.0.113.7");
  return { dnsServers, addresses };
}

/** Fills in defaults; throws `OPTIONS_INVALID`. */
export function resolveAcme(options: AcmeOptions | undefined): AcmeSettings | undefined {
  if (options === undefined) return undefined;
  const { email, agree, directoryUrl = LETS_ENCRYPT, publicPort = 443 } = options;
  if (agree !== true) {
    throw new ImprintError("OPTIONS_INVALID", "`acme` needs `agree: true`: certificates come with terms of service.", {
      hint: "Read the terms of the certificate authority, then set `agree: true`, or leave `acme` out.",
    });
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new ImprintError("OPTIONS_INVALID", "`acme.email` has to be an e-mail address.");
  }
  if (URL.parse(directoryUrl)?.protocol !== "https:") {
    throw new ImprintError("OPTIONS_INVALID", "`acme.directoryUrl` has to be an https address.");
  }
  return { email, agree, directoryUrl, publicPort };
}

// `address`, `address:port` or `[address]:port`, as the resolver takes them.
function isServer(text: string): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(text) ?? [];
  return isIP(text) !== 0 || isIP(bracketed ?? plain ?? "") !== 0;
}

function invalid(option: string, text: string, example: string): ImprintError {
  return new ImprintError("OPTIONS_INVALID", `\`domains.${option}\` holds "${text}", which is no IP address.`, {
    hint: `Write it as "${example}".`,
  });
}
