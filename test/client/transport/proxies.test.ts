import { createServer, request, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { outcomeOf } from "../../../src/client/transport/outcome.ts";
import { findProxies, nameProxy } from "../../../src/client/transport/proxies.ts";
import { failure, testClient } from "../clients.ts";
import { closedPort, listen, startHost } from "../host.ts";
import { SELF_SIGNED } from "../self-signed.ts";

afterEach(() => vi.unstubAllEnvs());

const PAGE = { id: "pg_1", slug: "home", title: "Home" };

interface Asked {
  readonly method: string;
  /** The proxy's requests: a full URL, or host and port. */
  readonly target: string;
  readonly authorization: string | undefined;
}

/** A proxy that sends every host name to one port of this machine; it forwards HTTP and tunnels the rest. */
async function startForwardProxy(targetPort: number) {
  const asked: Asked[] = [];
  const note = ({ method = "", url = "", headers }: IncomingMessage) =>
    asked.push({ method, target: url, authorization: headers["proxy-authorization"] });
  const server = createServer((incoming, answer) => {
    note(incoming);
    const { pathname, search } = new URL(incoming.url ?? "");
    const options = { port: targetPort, host: "127.0.0.1", path: pathname + search, headers: incoming.headers };
    const outgoing = request({ ...options, method: incoming.method }, (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(outgoing);
  });
  server.on("connect", (incoming: IncomingMessage, socket) => {
    note(incoming);
    const onward = connect(targetPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on("error", () => {});
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

describe("a service behind a proxy", () => {
  it("gets requests through HTTP_PROXY with the proxy's own password, and its pages are read through it, too", async () => {
    const host = await startHost(() => ({ body: PAGE }));
    const proxy = await startForwardProxy(portOf(host.baseUrl));
    vi.stubEnv("HTTP_PROXY", proxy.url.replace("//", "//user:secret@"));
    const api = testClient({ baseUrl: "http://imprint.test" });
    expect(await api.pages.get("home")).toMatchObject(PAGE);
    expect(await api.visit("http://pages.imprint.test/p/home")).toMatchObject({ status: 200 });
    const authorization = `Basic ${btoa("user:secret")}`;
    expect(proxy.asked).toEqual([
      { method: "GET", target: "http://imprint.test/api/pages/home", authorization },
      { method: "GET", target: "http://pages.imprint.test/p/home", authorization },
    ]);
  });

  it("gets https requests through a tunnel, so that the proxy sees neither the key nor pages", async () => {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, SELF_SIGNED.cert]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const server = createTlsServer(SELF_SIGNED, (_, answer) => answer.end(JSON.stringify(PAGE)));
    const proxy = await startForwardProxy(await listen(server));
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    expect(await testClient({ baseUrl: "https://imprint.test" }).pages.get("home")).toMatchObject(PAGE);
    expect(proxy.asked).toEqual([{ method: "CONNECT", target: "imprint.test:443", authorization: undefined }]);
  });

  it("gets posts, which use their own connection, through it, too", async () => {
    const host = await startHost(() => ({ status: 201, body: { id: "po_1", slug: "ink" } }));
    const proxy = await startForwardProxy(portOf(host.baseUrl));
    vi.stubEnv("http_proxy", proxy.url.replace("http://", ""));
    const api = testClient({ baseUrl: "http://imprint.test" });
    await api.posts.create("bl_1", { slug: "ink", title: "On ink", html: "<p>Ink</p>" });
    expect(proxy.asked).toMatchObject([{ method: "POST", target: "http://imprint.test/api/blogs/bl_1/posts" }]);
  });

  it("gets requests directly if NO_PROXY names it", async () => {
    const host = await startHost(() => ({ body: PAGE }));
    const proxy = await startForwardProxy(portOf(host.baseUrl));
    vi.stubEnv("HTTP_PROXY", proxy.url);
    vi.stubEnv("NO_PROXY", "example.org,0.0.0.0");
    const baseUrl = `http://0.0.0.0:${portOf(host.baseUrl)}`;
    expect(await testClient({ baseUrl }).pages.get("home")).toMatchObject(PAGE);
    expect(proxy.asked).toEqual([]);
    vi.stubEnv("NO_PROXY", "example.org");
    expect(await testClient({ baseUrl }).pages.get("home")).toMatchObject(PAGE);
    expect(proxy.asked).toHaveLength(1);
  });

  it("is distinguished from the proxy in an error, which doesn't show the proxy's password", async () => {
    const port = await closedPort();
    vi.stubEnv("HTTPS_PROXY", `http://user:secret@127.0.0.1:${port}`);
    const error = await failure(testClient({ baseUrl: "https://imprint.test" }).pages.get("home"));
    expect(error.code).toBe("SERVICE_UNREACHABLE");
    expect(error.message).toBe(
      `Connection refused by 127.0.0.1:${port}, the proxy for https://imprint.test (ECONNREFUSED).`,
    );
    expect(error.hint).toContain("HTTPS_PROXY");
    expect(error.message).not.toContain("secret");
  });
});

it.each(["imprint.test", "other.test, .imprint.test", "*", "imprint.test:1", "test"])(
  "an error of a service excluded by NO_PROXY=%s doesn't mention the proxy",
  async (noProxy) => {
    vi.stubEnv("HTTP_PROXY", "http://proxy.test:8080");
    vi.stubEnv("NO_PROXY", noProxy);
    const error = await failure(testClient({ baseUrl: "http://imprint.test:1" }).pages.get("home"));
    expect(error.message).toBe("The host name in http://imprint.test:1 can't be resolved (ENOTFOUND).");
    expect(error.hint).not.toContain("PROXY");
  },
);

it.each([
  ["http://imprint.test", "imprint.test:8080"],
  ["http://imprint.test", "*.imprint.test"],
  ["https://imprint.test", "*:80"],
  ["http://imprint.test", "print.test,, "],
])("an error names the proxy for %s if NO_PROXY=%s doesn't exclude it", (address, noProxy) => {
  expect(nameProxy(address, { httpProxy: "http://proxy.test:8080", noProxy })).toBe("proxy.test:8080");
});

describe("a proxy that requires a password", () => {
  it.each(["http", "https"])("is named in the error of a request with %s", async (protocol) => {
    const proxy = createServer((_, answer) => answer.writeHead(407).end());
    proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    const place = `127.0.0.1:${await listen(proxy)}`;
    vi.stubEnv("HTTP_PROXY", `http://${place}`);
    const error = await failure(testClient({ baseUrl: `${protocol}://imprint.test` }).pages.get("home"));
    expect(error.code).toBe("SERVICE_UNREACHABLE");
    expect(error.message).toBe(`The proxy ${place} refused GET /api/pages/home to ${protocol}://imprint.test (407).`);
    expect(error.hint).toContain("http://name:password@host:port");
    expect(outcomeOf(error)).toBe("not-sent");
  });
});

describe("a service on this machine", () => {
  it("never gets requests through a proxy", async () => {
    const { baseUrl } = await startHost(() => ({ body: PAGE }));
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${await closedPort()}`);
    expect(await testClient({ baseUrl }).pages.get("home")).toMatchObject(PAGE);
    expect(await testClient({ baseUrl }).visit(`${baseUrl}/p/home`)).toMatchObject({ status: 200 });
  });

  it.each(["http://localhost:4400", "http://a.localhost", "http://127.0.0.1:1", "http://[::1]:4400"])(
    "%s has no proxies",
    (address) => {
      expect(findProxies(address, { HTTP_PROXY: "http://proxy.test:8080" })).toBeUndefined();
    },
  );
});

it.each([
  ["nothing is set", {}],
  ["the variables are empty", { HTTP_PROXY: "", https_proxy: "" }],
  ["only the other protocol has one", { HTTPS_PROXY: "http://proxy.test:8080" }],
])("there is no proxy if %s", (_, environment) => {
  expect(findProxies("http://imprint.test", environment)).toBeUndefined();
});
