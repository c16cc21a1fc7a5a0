import { once } from "node:events";
import { createHash, randomBytes } from "node:crypto";
import { get } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { clientOf, openRunningService, openService, visit } from "../open-service.ts";
import { openSocket, readUntil, sendRaw } from "./raw-socket.ts";

function putText({ port, apiKey }: RunningService, slug: string, more = ""): string {
  const body = JSON.stringify({ html: `<p>${slug}</p>` });
  return `PUT /a/api/pages/${slug} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
}

function statusesOf(text: string): readonly number[] {
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
}

describe("requests on one connection", () => {
  it("are answered in order if pipelined", async () => {
    const service = await openRunningService();
    const { port, apiKey } = service;
    const read = (slug: string, more: string) =>
      `GET /a/api/pages/${slug} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${apiKey}\r\n${more}\r\n`;
    const text = await sendRaw(
      port,
      putText(service, "one") +
        putText(service, "two") +
        read("none", "") +
        `GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n` +
        read("two", "Connection: close\r\n"),
    );
    expect(statusesOf(text)).toEqual([201, 201, 404, 200, 200]);
    // The last one waited for the change requested before it.
    expect(text.slice(text.lastIndexOf("HTTP/1.1"))).toContain('"slug":"two"');
  });

  it("can be sent after an error", async () => {
    const service = await openRunningService();
    const socket = await openSocket(service.port);
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost:${service.port}\r\n\r\n`;
    for (const [path, status] of [
      ["/a/api/pages", 401],
      ["/a/api/nothing", 404],
      ["/a/api/pages/%E0%A4%A", 401],
      ["/healthz", 200],
    ] as const) {
      socket.write(request(path));
      expect(await readUntil(socket, "\r\n\r\n")).toContain(`HTTP/1.1 ${status} `);
      socket.removeAllListeners("data");
    }
  });

  it("can wait for `100 Continue` before they send their body", async () => {
    const service = await openRunningService();
    const [head = "", body = ""] = putText(service, "one", "Expect: 100-continue\r\nConnection: close\r\n").split(
      "\r\n\r\n",
    );
    const socket = await openSocket(service.port);
    socket.write(`${head}\r\n\r\n`);
    expect(await readUntil(socket, "\r\n\r\n")).toContain("HTTP/1.1 100 Continue");
    socket.write(body);
    expect(await readUntil(socket, "}")).toContain("HTTP/1.1 201 Created");
  });
});

describe("a client that disconnects", () => {
  it("while sending a body changes nothing, and doesn't affect others", async () => {
    const service = await openRunningService();
    const text = putText(service, "half");
    const socket = await openSocket(service.port);
    socket.write(text.slice(0, -4));
    await nextTurn();
    socket.destroy();
    await once(socket, "close");
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    expect((await send("GET", "/api/pages/half")).status).toBe(404);
    expect((await send("PUT", "/api/pages/half", { json: { html: "<p>1</p>" } })).status).toBe(201);
  });

  it("while receiving a response doesn't affect the service", async () => {
    const service = await openRunningService();
    const url = await uploadFile(service, randomBytes(8 * 1024 * 1024));
    const answer = await fetch(url);
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  });
});

async function uploadFile(service: RunningService, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  // The shortest possible font: its first four bytes identify its type.
  form.append("file", new File([Buffer.concat([Buffer.from("wOF2"), bytes])], "a.woff2"));
  const { body, status } = await clientOf(service, { routeSet: "a" })("POST", "/api/library", { form });
  expect([status, body.code]).toEqual([201, undefined]);
  return `${service.pagesUrl}${new URL(String(body.url)).pathname}`;
}

describe("a large file", () => {
  it("reaches a slow reader in full, and in ranges", async () => {
    const service = await openRunningService();
    const content = randomBytes(24 * 1024 * 1024);
    const url = await uploadFile(service, content);
    const whole = Buffer.concat([Buffer.from("wOF2"), content]);
    const hash = createHash("sha256");
    let turns = 0;
    const [answer] = await once(get(url), "response");
    for await (const chunk of answer) {
      hash.update(chunk);
      // Reads the next chunk only once the service has filled its buffers.
      if (turns++ % 16 === 0) await nextTurn();
    }
    expect(hash.digest("hex")).toBe(createHash("sha256").update(whole).digest("hex"));
    const part = await fetch(url, { headers: { Range: "bytes=1000000-1000009" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 1000000-1000009/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(1_000_000, 1_000_010));
  });
});

describe("a request body that is rejected early", () => {
  it.each([
    ["declared", "Content-Length: 9000000", ""],
    ["without a declared length", "Transfer-Encoding: chunked", "1000\r\n" + "x".repeat(4096) + "\r\n"],
  ])("gets a response while its client keeps sending (%s)", async (_, framing, unit) => {
    const service = await openRunningService({ limits: { maxJsonBodyBytes: 10_000 } });
    const { port, apiKey } = service;
    const head = `PUT /a/api/pages/large HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
    const socket = await openSocket(port);
    socket.write(head);
    for (let sent = 0; sent < 20; sent++) socket.write(unit === "" ? "x".repeat(4096) : unit);
    const text = await readUntil(socket, "page_too_large");
    expect(statusesOf(text)).toEqual([413]);
    // A client that never stops is disconnected.
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const sendMore = () => socket.write("x".repeat(65_536), (error) => error ?? setImmediate(sendMore));
    sendMore();
    await closed;
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });
});

describe("both HTTP implementations", () => {
  const paths = [
    "GET /a/api/pages",
    "GET /a/api/pages?limit=1&fields=slug,version",
    "GET /a/api/pages?limit=0",
    "GET /a/api/pages?limit=1&limit=2",
    "GET /a/api/pages?nothing=1",
    "GET /a/api/pages/one?include=html",
    "GET /a/api/pages/one/",
    "GET /a/api/pages//one",
    "GET /a//api/pages/one",
    "GET /a/api/pages/%6Fne",
    "GET /a/api/pages/%zz",
    "GET /a/api/./pages/one",
    "GET /a/api/pages/../pages/one",
    "GET /b/api/pages/one/raw",
    "HEAD /b/api/pages/one/raw",
    "HEAD /a/api/pages",
    "POST /a/api/pages/one",
    "PATCH /a/api/pages/one",
    "OPTIONS /a/api/pages/one",
    "GET /b/api/library",
    "GET /a/api/nothing",
    "GET /api",
    "GET /",
    "GET /healthz",
    "DELETE /a/api/pages/none",
  ];

  it.each(paths)("give the same response to %s", async (asked) => {
    const [method = "", path = ""] = asked.split(" ");
    const service = await openRunningService({ now: () => new Date("2026-01-01T00:00:00Z") });
    await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const headers = { Authorization: `Bearer ${service.apiKey}`, "X-Request-Id": "one" };
    const text = await sendRaw(
      service.port,
      `${method} ${path} HTTP/1.1\r\nHost: localhost:${service.port}\r\nAuthorization: ${headers.Authorization}\r\nX-Request-Id: one\r\nConnection: close\r\n\r\n`,
    );
    const inProcess = await service.fetch(new Request(`${service.url}${path}`, { method, headers }));
    const [head = "", ...rest] = text.split("\r\n\r\n");
    const body = rest.join("\r\n\r\n");
    const sent = new Headers(
      head
        .split("\r\n")
        .slice(1)
        .map((line): [string, string] => splitHeader(line)),
    );
    for (const name of ["Connection", "Date", "Keep-Alive", "Content-Length", "Transfer-Encoding"]) sent.delete(name);
    inProcess.headers.delete("Content-Length");
    expect(statusesOf(head)).toEqual([inProcess.status]);
    expect(Object.fromEntries(sent)).toEqual(Object.fromEntries(inProcess.headers));
    expect(Buffer.from(body, "latin1").toString()).toContain(await inProcess.text());
  });

  it.each(["GET", "HEAD"])("serve a published page the same way to %s", async (method) => {
    const service = await openRunningService();
    await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/one", { json: { html: "<body>é</body>" } });
    for (const path of ["/p/one", "/p/%6Fne", "/p/none", "/p/one/", "/_i.js", "/"]) {
      for (const accept of ["*/*", "text/html,application/xhtml+xml"]) {
        const headers = { Accept: accept, "X-Request-Id": "one" };
        const init = { method, headers, redirect: "manual" } as const;
        const [over, within] = [await fetch(`${service.pagesUrl}${path}`, init), await visit(service, path, init)];
        expect([over.status, over.headers.get("ETag"), await over.text()]).toEqual([
          within.status,
          within.headers.get("ETag"),
          await within.text(),
        ]);
      }
    }
  });
});

describe("a malformed request line", () => {
  it.each([
    ["an absolute address", (port: number) => `GET http://localhost:${port}/healthz`, 200],
    ["a backslash", () => "GET /a\\api/pages", 400],
    ["only an asterisk", () => "OPTIONS *", 400],
    ["a fragment", () => "GET /healthz#x", 200],
    ["non-ASCII bytes", () => "GET /a/api/pages/\xff\xfe", 400],
  ])("with %s gets a response and does no harm", async (_, line, status) => {
    const service = await openRunningService();
    const { port } = service;
    const text = await sendRaw(port, `${line(port)} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(text)).toEqual([status]);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });
});

it("rejects a request with two Host headers, even with the same name", async () => {
  const { port } = await openRunningService();
  for (const other of ["elsewhere.example", `localhost:${port}`]) {
    const request = `GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\nhost: ${other}\r\nConnection: close\r\n\r\n`;
    expect([other, statusesOf(await sendRaw(port, request))]).toEqual([other, [400]]);
  }
});

describe("a changed page", () => {
  it("is never served in its old version, whichever process changed it", async () => {
    const service = await openRunningService();
    const send = clientOf(service, { routeSet: "a" });
    const seen: string[] = [];
    for (const html of ["<p>1</p>", "<p>2</p>", "<p>1</p>"]) {
      await send("PUT", "/api/pages/one", { json: { html } });
      for (const Accept of ["*/*", "application/xhtml+xml"]) {
        seen.push(await (await fetch(`${service.pagesUrl}/p/one`, { headers: { Accept } })).text());
      }
    }
    expect(seen.map((text) => text.slice(0, 8))).toEqual(
      ["<p>1", "<p>1", "<p>2", "<p>2", "<p>1", "<p>1"].map((t) => `${t}</p>`),
    );
    expect(new Set(seen.filter((text) => text.includes("data-v"))).size).toBe(3);
  });

  it("is served in its old version after a snapshot is restored", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const snapshot = await service.snapshot();
    await send("PUT", "/api/pages/one", { json: { html: "<p>2</p>" } });
    expect(await (await visit(service, "/p/one")).text()).toBe("<p>2</p>");
    await service.restore(snapshot);
    await send("PUT", "/api/pages/one", { json: { html: "<p>3</p>" } });
    expect(await (await visit(service, "/p/one")).text()).toBe("<p>3</p>");
  });
});

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
