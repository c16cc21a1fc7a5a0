type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies that an environment names, as undici's `EnvHttpProxyAgent` takes them. */
export interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy: string;
}

/**
 * The proxies by which an address is reached, as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say; `undefined` when none is
 * named. A service on this machine is never behind one.
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

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Host and port of the proxy for an address, without the password that its own address may hold; `undefined` for one
 * that NO_PROXY takes out.
 */
export function nameProxy(address: string, { httpProxy, httpsProxy, noProxy }: Proxies): string | undefined {
  if (isTakenOut(new URL(address), noProxy)) return undefined;
  const proxy = address.startsWith("https:") ? (httpsProxy ?? httpProxy) : httpProxy;
  return URL.parse(proxy ?? "")?.host || "that the environment names";
}

// Read as undici reads it, which decides where a request goes: `example.org` with all below it, `*.example.org` only what
// is below it, `*` everything, each with a port or for any.
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

// Names in small letters come first, as in curl and undici.
function read(environment: Environment, name: string): string | undefined {
  const value = environment[name.toLowerCase()] ?? environment[name];
  return value === "" ? undefined : value;
}

// `proxy.example.org:8080` is what many networks name.
function withScheme(proxy: string | undefined): string | undefined {
  return proxy === undefined || proxy.includes("://") ? proxy : `http://${proxy}`;
}
