type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies set in the environment, in the format of undici's `EnvHttpProxyAgent`. */
export interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy: string;
}

/**
 * Returns the proxies for an address according to HTTP_PROXY, HTTPS_PROXY, and NO_PROXY, or `undefined` if none is set.
 * A service on this machine never uses one.
 */
export function findProxies(address: string, environment: Environment): Proxies | undefined {
  const httpProxy = withScheme(read(environment, "HTTP_PROXY"));
  const httpsProxy = withScheme(read(environment, "HTTPS_PROXY"));
  const isAny = httpProxy !== undefined || (httpsProxy !== undefined && address.startsWith("https:"));
  if (!isAny || isLoopback(new URL(address).hostname)) return undefined;
  return {
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    noProxy: read(environment, "NO_PROXY") ?? "",
  };
}

/** Whether a host name refers to this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Returns host and port of the proxy for an address, without the password that its URL may contain; `undefined` if
 * NO_PROXY excludes the address.
 */
export function nameProxy(address: string, { httpProxy, httpsProxy, noProxy }: Proxies): string | undefined {
  if (isTakenOut(new URL(address), noProxy)) return undefined;
  const proxy = address.startsWith("https:") ? (httpsProxy ?? httpProxy) : httpProxy;
  return URL.parse(proxy ?? "")?.host || "that the environment names";
}

// Interpreted like undici, which determines where a request goes: `example.org` with all its subdomains,
// `*.example.org` only the subdomains, `*` everything, each with a port or for any.
function isTakenOut({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return noProxy.split(/[,\s]+/).some((entry) => {
    const [, host = "", onlyPort = ownPort] = /^(.+?)(?::(\d+))?$/.exec(bracketed(entry.toLowerCase())) ?? [];
    if (host === "" || onlyPort !== ownPort) return false;
    const name = host.replace(/^\*?\./, "").replace(/\.$/, "");
    const own = hostname.replace(/\.$/, "");
    return host === "*" || (own === name && !host.startsWith("*")) || own.endsWith(`.${name}`);
  });
}

function bracketed(entry: string): string {
  return /^[^[\]]*:[^[\]]*:/.test(entry) ? `[${entry}]` : entry;
}

// Lowercase names take precedence, as in curl and undici.
function read(environment: Environment, name: string): string | undefined {
  const value = environment[name.toLowerCase()] ?? environment[name];
  return value === "" ? undefined : value;
}

// Many networks specify `proxy.example.org:8080`.
function withScheme(proxy: string | undefined): string | undefined {
  return proxy === undefined || proxy.includes("://") ? proxy : `http://${proxy}`;
}
