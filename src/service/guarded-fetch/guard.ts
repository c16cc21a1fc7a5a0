import { isIP } from "node:net";
import type { LookupAddress } from "node:dns";
import { FetchError } from "./fetch-error.ts";
import { isPublicAddress, type Networks } from "./networks.ts";

/** Finds the addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Says where requests of the service may go. */
export interface Guard {
  /**
   * Looks at an address as far as that is possible without asking for its host; throws `FetchError` of the kind
   * `refused` for other schemes, for credentials, and for an IP address, however it is written, that is not public.
   */
  checkUrl(text: string): URL;
  /**
   * Finds the addresses of a host for a connection to exactly one of these answers. Throws `FetchError` when one of
   * them is not allowed, even where others are: which one is taken is not ours to know.
   */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
}

export interface GuardOptions {
  /** Networks that are allowed beside public addresses. */
  readonly networks: Networks;
  /** Hosts of the service itself, which are reached only in the networks that are allowed. */
  readonly ownHosts: readonly string[];
  readonly resolve: Resolve;
}

export function createGuard({ networks, ownHosts, resolve }: GuardOptions): Guard {
  function isAllowed(address: string, hostname: string): boolean {
    return networks.has(address) || (isPublicAddress(address) && !ownHosts.includes(hostname));
  }

  return {
    checkUrl(text) {
      const url = URL.parse(text);
      if (url === null) throw new FetchError("refused", "The address is not a valid URL.");
      if (url.protocol !== "http:" && url.protocol !== "https:") {
        throw new FetchError("refused", "Only http and https addresses are fetched.");
      }
      if (url.username !== "" || url.password !== "") {
        throw new FetchError("refused", "An address with a user name or password is not fetched.");
      }
      // The parser has brought every way to write an IPv4 address (decimal, octal, hexadecimal, short) to one.
      const hostname = bareHost(url.hostname);
      if (isIP(hostname) !== 0 && !isAllowed(hostname, hostname)) throw notPublic(url.hostname);
      return url;
    },
    async resolve(hostname) {
      const name = bareHost(hostname);
      const addresses = await resolve(name);
      if (addresses.length === 0) throw new FetchError("failed", `${name} has no address.`);
      if (!addresses.every(({ address }) => isAllowed(address, name))) throw notPublic(name);
      return addresses;
    },
  };
}

/** A host without the brackets of IPv6 and without the dot that ends an absolute name. */
function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}

function notPublic(hostname: string): FetchError {
  return new FetchError("refused", `${hostname} is not a public address.`);
}
