import type { LookupAddress } from "node:dns";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  FetchError,
  createGuardedFetch,
  type FetchRequest,
  type GuardedFetch,
} from "../../../src/service/guarded-fetch/guarded-fetch.ts";
import { parseNetworks } from "../../../src/service/guarded-fetch/networks.ts";
import { closedPort, startHost, startSocketHost, type Answered, type Received } from "../../client/host.ts";

const LOOPBACK = ["127.0.0.0/8"];
const REQUEST: FetchRequest = { maxBytes: 1000, whenLarger: "refuse", timeoutMs: 5000, maxRedirects: 3 };

interface Setup {
  readonly allowed?: readonly string[];
  readonly ownHosts?: readonly string[];
  /** The resolver's answers, in order; the last one repeats. */
  readonly answers?: readonly (readonly string[])[];
}

function open({ allowed = [], ownHosts = [], answers = [["127.0.0.1"]] }: Setup = {}) {
  const asked: string[] = [];
  const guarded: GuardedFetch = createGuardedFetch({
    networks: parseNetworks(allowed),
    ownHosts,
    async resolve(hostname) {
      const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(hostname);
      return addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  });
  onTestFinished(() => guarded.close());
  return { guarded, asked };
}

async function failureOf(work: Promise<unknown>): Promise<FetchError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FetchError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

async function host(answer: (request: Received) => Answered = () => ({ body: "hello" })) {
  const { baseUrl, received } = await startHost(answer);
  return { port: new URL(baseUrl).port, baseUrl, received };
}

describe("addresses that are never fetched", () => {
  it.each([
    ["another scheme", "ftp://example.org/"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:text/html,<p>"],
    ["a script", "javascript:alert(1)"],
    ["no address", "example.org"],
    ["nothing", ""],
    ["no host", "http://"],
    ["credentials", "http://admin@example.org/"],
    ["a password", "http://admin:secret@example.org/"],
    ["loopback", "http://127.0.0.1/"],
    ["loopback in decimal", "http://2130706433/"],
    ["loopback in octal", "http://0177.0.0.1/"],
    ["loopback in hexadecimal", "http://0x7f.0x0.0x0.0x1/"],
    ["loopback as one hexadecimal number", "http://0x7f000001/"],
    ["short loopback", "http://127.1/"],
    ["zero", "http://0/"],
    ["loopback in non-ASCII digits", "http://①②⑦.⓪.⓪.①/"],
    ["percent-encoded loopback", "http://%31%32%37.0.0.1/"],
    ["loopback with a trailing dot", "http://127.0.0.1./"],
    ["cloud metadata", "http://169.254.169.254/latest/meta-data/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["mapped loopback", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped loopback in hexadecimal", "http://[::ffff:7f00:1]/"],
    ["compatible loopback", "http://[::127.0.0.1]/"],
    ["NAT64 loopback", "http://[64:ff9b::7f00:1]/"],
    ["6to4 loopback", "http://[2002:7f00:1::]/"],
    ["unique local", "http://[fd00::1]/"],
    ["link-local", "http://[fe80::1]/"],
    ["private", "https://10.1.2.3/"],
  ])("%s: %s", async (_, url) => {
    const { guarded, asked } = open();
    expect((await failureOf(guarded.fetch(url, REQUEST))).kind).toBe("refused");
    expect(() => guarded.checkUrl(url)).toThrow(FetchError);
    expect(asked).toEqual([]);
  });
});

describe("host names", () => {
  it.each([
    ["a private address", ["10.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["mapped loopback", ["::ffff:127.0.0.1"]],
    ["IPv6 loopback", ["::1"]],
    ["a public address first and a private one after it", ["93.184.215.14", "127.0.0.1"]],
    ["a private address first and a public one after it", ["127.0.0.1", "93.184.215.14"]],
    ["a public IPv4 and a private IPv6 address", ["93.184.215.14", "fd00::1"]],
  ])("are rejected if they resolve to %s", async (_, addresses) => {
    const { port, received } = await host();
    const { guarded, asked } = open({ answers: [addresses] });
    expect(await failureOf(guarded.fetch(`http://rebind.test:${port}/`, REQUEST))).toMatchObject({ kind: "refused" });
    expect(asked).toEqual(["rebind.test"]);
    expect(received).toEqual([]);
  });

  it("are connected to at the exact address that was checked", async () => {
    const { port, received } = await host();
    // If the name were resolved again for the connection, the connection would fail.
    const { guarded, asked } = open({ allowed: LOOPBACK, answers: [["127.0.0.1"], ["192.0.2.1"]] });
    const { status, bytes } = await guarded.fetch(`http://rebind.test:${port}/`, REQUEST);
    expect([status, Buffer.from(bytes).toString()]).toEqual([200, "hello"]);
    expect(asked).toHaveLength(1);
    expect(received[0]?.headers.host).toBe(`rebind.test:${port}`);
  });

  it("that become private between two connections are rejected the second time", async () => {
    const { port, received } = await host(() => ({ headers: { connection: "close" }, body: "x" }));
    const { guarded } = open({ allowed: ["127.0.0.1"], answers: [["127.0.0.1"], ["127.0.0.2"]] });
    await guarded.fetch(`http://rebind.test:${port}/`, REQUEST);
    expect((await failureOf(guarded.fetch(`http://rebind.test:${port}/`, REQUEST))).kind).toBe("refused");
    expect(received).toHaveLength(1);
  });

  it("that don't exist fail", async () => {
    const { guarded } = open({ answers: [[]] });
    expect((await failureOf(guarded.fetch("http://nobody.test/", REQUEST))).kind).toBe("failed");
  });

  it("of the service itself are rejected even at a public address, unless their network is allowed", async () => {
    const { port } = await host();
    const publicOwn = open({ ownHosts: ["pages.test"], answers: [["93.184.215.14"]] });
    for (const name of ["pages.test", "PAGES.test", "pages.test."]) {
      expect((await failureOf(publicOwn.guarded.fetch(`http://${name}:${port}/`, REQUEST))).kind).toBe("refused");
    }
    const allowed = open({ ownHosts: ["pages.test"], allowed: LOOPBACK });
    expect((await allowed.guarded.fetch(`http://pages.test:${port}/`, REQUEST)).status).toBe(200);
  });
});

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])("with %i are followed, and the final address is returned", async (status) => {
    const { port } = await host(({ path }) =>
      path === "/" ? { status, headers: { location: "/next" } } : { body: "there" },
    );
    const { guarded } = open({ allowed: LOOPBACK });
    const fetched = await guarded.fetch(`http://127.0.0.1:${port}/`, REQUEST);
    expect([fetched.url, Buffer.from(fetched.bytes).toString()]).toEqual([`http://127.0.0.1:${port}/next`, "there"]);
  });

  it.each(["http://127.0.0.2/", "http://[::1]/", "file:///etc/passwd", "http://a:b@example.org/", "http://0x7f.2/"])(
    "to %s are rejected",
    async (location) => {
      const { port, received } = await host(() => ({ status: 302, headers: { location } }));
      const { guarded } = open({ allowed: ["127.0.0.1"] });
      expect((await failureOf(guarded.fetch(`http://outside.test:${port}/`, REQUEST))).kind).toBe("refused");
      expect(received).toHaveLength(1);
    },
  );

  it("to a name that resolves to a private address are rejected", async () => {
    const { port } = await host(() => ({ status: 302, headers: { location: `http://inside.test:1/` } }));
    const { guarded, asked } = open({ allowed: LOOPBACK, answers: [["127.0.0.1"], ["10.0.0.1"]] });
    expect((await failureOf(guarded.fetch(`http://outside.test:${port}/`, REQUEST))).kind).toBe("refused");
    expect(asked).toEqual(["outside.test", "inside.test"]);
  });

  it("stop after the allowed number", async () => {
    const { port, received } = await host(() => ({ status: 302, headers: { location: "/again" } }));
    const { guarded } = open({ allowed: LOOPBACK });
    expect((await failureOf(guarded.fetch(`http://127.0.0.1:${port}/`, REQUEST))).kind).toBe("failed");
    expect(received).toHaveLength(4);
  });

  it("are returned like other responses if none are allowed", async () => {
    const { port, received } = await host(() => ({ status: 302, headers: { location: "/again" } }));
    const { guarded } = open({ allowed: LOOPBACK });
    const { status } = await guarded.fetch(`http://127.0.0.1:${port}/`, { ...REQUEST, maxRedirects: 0 });
    expect([status, received.length]).toEqual([302, 1]);
  });
});

describe("responses", () => {
  it("with a declared length over the limit are rejected before they are read", async () => {
    const { port } = await host(() => ({ body: "x".repeat(1001) }));
    const { guarded } = open({ allowed: LOOPBACK });
    expect((await failureOf(guarded.fetch(`http://127.0.0.1:${port}/`, REQUEST))).kind).toBe("too-large");
    const exact = await guarded.fetch(`http://127.0.0.1:${port}/`, { ...REQUEST, maxBytes: 1001 });
    expect(exact.bytes.byteLength).toBe(1001);
  });

  it("without an end are truncated at the limit, or rejected", async () => {
    const address = await startSocketHost((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
      const flow = setInterval(() => socket.write(chunk), 1);
      socket.on("close", () => clearInterval(flow));
    });
    const { guarded } = open({ allowed: LOOPBACK });
    expect((await failureOf(guarded.fetch(address, REQUEST))).kind).toBe("too-large");
    const cut = await guarded.fetch(address, { ...REQUEST, whenLarger: "cut" });
    expect(cut.bytes.byteLength).toBe(1000);
  });

  it("slower than the time limit time out, even if they keep sending", async () => {
    const address = await startSocketHost((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
      const flow = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(flow));
    });
    const { guarded } = open({ allowed: LOOPBACK });
    expect((await failureOf(guarded.fetch(address, { ...REQUEST, timeoutMs: 200 }))).kind).toBe("timeout");
  });

  it("that are compressed without a request for it are rejected", async () => {
    const { port, received } = await host(() => ({ headers: { "content-encoding": "gzip" }, body: "not gzip" }));
    const { guarded } = open({ allowed: LOOPBACK });
    expect((await failureOf(guarded.fetch(`http://127.0.0.1:${port}/`, REQUEST))).kind).toBe("failed");
    expect(received[0]?.headers["accept-encoding"]).toBe("identity");
  });

  it("that never arrive fail, with the reason in the message", async () => {
    const { guarded } = open({ allowed: LOOPBACK });
    const error = await failureOf(guarded.fetch(`http://127.0.0.1:${await closedPort()}/`, REQUEST));
    expect([error.kind, error.message]).toEqual(["failed", "The URL could not be reached (ECONNREFUSED)."]);
  });
});
