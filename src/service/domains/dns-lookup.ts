import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { systemCodeOf } from "../../base/error.ts";
import { verificationRecord, type DomainTarget } from "../resources/domain-name.ts";

/** DNS state of a domain. `unknown`: no server responded. */
export interface DnsFinding {
  readonly control: "proven" | "missing" | "unknown";
  /** `elsewhere`: it resolves to these addresses, and not all of them are ours. */
  readonly routing:
    | { readonly kind: "here" | "missing" | "unknown" }
    | { readonly kind: "elsewhere"; readonly addresses: readonly string[] };
}

export interface DnsLookup {
  look(domain: { readonly name: string; readonly token: string }): Promise<DnsFinding>;
}

export interface DnsLookupOptions {
  /** DNS servers to query, such as `1.1.1.1` or `127.0.0.1:8053`; empty for those of the system. */
  readonly servers: readonly string[];
  readonly target: DomainTarget;
  /** Timeout for a server's first try; the second one waits twice as long. @default 2000 */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Queries DNS without caching, so that new records are found at once. */
export function createDnsLookup({ servers, target, timeoutMs = TIMEOUT_MS }: DnsLookupOptions): DnsLookup {
  return {
    async look(domain) {
      const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
      if (servers.length > 0) resolver.setServers(servers);
      const [control, routing] = await Promise.all([findTxtToken(resolver, domain), lookAt(resolver, domain.name)]);
      return { control, routing };
    },
  };

  async function lookAt(resolver: Resolver, name: string): Promise<DnsFinding["routing"]> {
    const [aliases, found, wanted] = await Promise.all([
      ask(() => resolver.resolveCname(name)),
      findAddresses(resolver, name),
      findTargetAddresses(resolver),
    ]);
    if (aliases?.some((alias) => sameName(alias, target.host)) === true) return { kind: "here" };
    if (found === undefined) return { kind: "unknown" };
    if (found.length === 0) return { kind: "missing" };
    // Without our own addresses, the domain's can't be compared.
    if (wanted === undefined) return { kind: "unknown" };
    return found.every((address) => wanted.includes(address))
      ? { kind: "here" }
      : { kind: "elsewhere", addresses: found };
  }

  async function findTargetAddresses(resolver: Resolver): Promise<readonly string[] | undefined> {
    if (isIP(target.host) !== 0) return [target.host, ...target.addresses];
    const found = await findAddresses(resolver, target.host);
    return target.addresses.length === 0 ? found : [...target.addresses, ...(found ?? [])];
  }
}

async function findTxtToken(
  resolver: Resolver,
  domain: { readonly name: string; readonly token: string },
): Promise<DnsFinding["control"]> {
  const { name, value } = verificationRecord(domain);
  const records = await ask(() => resolver.resolveTxt(name));
  if (records === undefined) return "unknown";
  // Long TXT values are split into strings.
  return records.some((parts) => parts.join("").trim() === value) ? "proven" : "missing";
}

async function findAddresses(resolver: Resolver, name: string): Promise<readonly string[] | undefined> {
  const [four, six] = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))]);
  if (four === undefined && six === undefined) return undefined;
  return [...(four ?? []), ...(six ?? [])];
}

// Errors for a name without such records.
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);

/** Returns the records, an empty array if there are none, and `undefined` if no server responded. */
async function ask<Item>(question: () => Promise<readonly Item[]>): Promise<readonly Item[] | undefined> {
  try {
    return await question();
  } catch (error) {
    return NOTHING.has(systemCodeOf(error) ?? "") ? [] : undefined;
  }
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");
  return plain(one) === plain(other);
}
