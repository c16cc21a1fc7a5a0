import { isIP } from "node:net";
import { ImprintError } from "../../base/error.ts";

/** Settings for custom domains. */
export interface DomainOptions {
  /** DNS servers to query, such as `"1.1.1.1"` or `"127.0.0.1:8053"`. @default those of the system */
  readonly dnsServers?: readonly string[];
  /**
   * Public IP addresses of the published pages, for apex domains such as `example.org`, which can't have a CNAME.
   * Without them, domain owners are asked to set an ALIAS record.
   *
   * @default []
   */
  readonly addresses?: readonly string[];
}

/** Certificates for custom domains from an ACME certificate authority. */
export interface AcmeOptions {
  /** Contact address for the certificate authority. */
  readonly email: string;
  /** Confirms that you have read and accept the authority's terms of service. */
  readonly agree: true;
  /** Directory URL of the certificate authority. @default "https://acme-v02.api.letsencrypt.org/directory" */
  readonly directoryUrl?: string;
  /** Public port of the HTTPS listener, to which plain HTTP is redirected. @default 443 */
  readonly publicPort?: number;
}

export type DomainSettings = Required<DomainOptions>;
export type AcmeSettings = Required<AcmeOptions>;

export const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";

/** Applies defaults. Throws `OPTIONS_INVALID`. */
export function resolveDomains({ dnsServers = [], addresses = [] }: DomainOptions = {}): DomainSettings {
  for (const server of dnsServers) if (!isServer(server)) throw invalid("dnsServers", server, "127.0.0.1:8053");
  for (const address of addresses) if (isIP(address) === 0) throw invalid("addresses", address, "203.0.113.7");
  return { dnsServers, addresses };
}

/** Applies defaults. Throws `OPTIONS_INVALID`. */
export function resolveAcme(options: AcmeOptions | undefined): AcmeSettings | undefined {
  if (options === undefined) return undefined;
  const { email, agree, directoryUrl = LETS_ENCRYPT, publicPort = 443 } = options;
  if (agree !== true) {
    throw new ImprintError("OPTIONS_INVALID", "`acme` requires `agree: true` to accept the terms of service.", {
      hint: "Read the terms of the certificate authority, then set `agree: true`, or remove `acme`.",
    });
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new ImprintError("OPTIONS_INVALID", "`acme.email` must be an email address.");
  }
  if (URL.parse(directoryUrl)?.protocol !== "https:") {
    throw new ImprintError("OPTIONS_INVALID", "`acme.directoryUrl` must be an https URL.");
  }
  return { email, agree, directoryUrl, publicPort };
}

// `address`, `address:port` or `[address]:port`, as the resolver expects.
function isServer(text: string): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(text) ?? [];
  return isIP(text) !== 0 || isIP(bracketed ?? plain ?? "") !== 0;
}

function invalid(option: string, text: string, example: string): ImprintError {
  return new ImprintError("OPTIONS_INVALID", `\`domains.${option}\` contains "${text}", which is not an IP address.`, {
    hint: `Write it as "${example}".`,
  });
}
