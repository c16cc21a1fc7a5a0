import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Networks that the operator allows for the service's requests. */
export interface Networks {
  has(address: string): boolean;
}

// Ranges that IANA's special-purpose registry doesn't mark as globally reachable, and multicast.
const DENIED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(toNetwork);

// IPv6 uses an allow list: a deny list would miss notations that embed an IPv4 address, such as `::127.0.0.1`. Excluded
// from the global range are Teredo and other protocol assignments, documentation and 6to4.
const ALLOWED_V6 = toNetwork("2000::/3");
const DENIED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(toNetwork);

/** Parses networks such as `127.0.0.0/8` or `fd00::/8`, or single addresses. Throws for anything else. */
export function parseNetworks(texts: readonly string[]): Networks {
  const networks = texts.map(toNetwork);
  return {
    has(text) {
      const address = parseAddress(text);
      return address !== undefined && networks.some((network) => isIn(address, network));
    },
  };
}

/** Whether an IP address is publicly reachable. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  if (address.kind() === "ipv4") return !DENIED_V4.some((network) => isIn(address, network));
  return isIn(address, ALLOWED_V6) && !DENIED_V6.some((network) => isIn(address, network));
}

// An IPv4-mapped IPv6 address (`::ffff:…`) is treated as the IPv4 address.
function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/%.*$/, "");
  if (isIPv4(plain)) return ipaddr.IPv4.parse(plain);
  // ipaddr.js treats `::8.8.8.8` as mapped. The URL parser's notation without dots avoids this.
  const canonical = isIPv6(plain) ? URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1) : undefined;
  return canonical === undefined ? undefined : ipaddr.process(canonical);
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function toNetwork(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
