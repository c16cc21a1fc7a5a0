import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendPlainly } from "../../../src/client/transport/plain.ts";
import { startHost } from "../host.ts";

const TEXT = "Grüße von der Küste. ".repeat(50);

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
}

function read(address: string, redirect: "follow" | "error" | "manual" = "follow") {
  return sendPlainly(address, { headers: {}, redirect, signal: undefined });
}

describe("sendPlainly", () => {
  it.each([
    ["gzip", gzipSync(TEXT)],
    ["gzip", gzipSync(TEXT).subarray(0, -8)],
    ["br", brotliCompressSync(TEXT)],
    [undefined, Buffer.from(TEXT)],
  ])("decodes a body with the encoding %s like a browser", async (encoding, body) => {
    const address = await startServer((_, response) => {
      response.writeHead(200, encoding === undefined ? {} : { "content-encoding": encoding });
      response.end(body);
    });
    expect(Buffer.from((await read(address)).bytes).toString()).toBe(TEXT);
  });

  it("follows redirects and returns the final address", async () => {
    const { baseUrl } = await startHost(({ path }) =>
      path === "/a" ? { status: 308, headers: { location: "b?x=1#top" } } : { body: path },
    );
    const response = await read(`${baseUrl}/a`);
    expect([response.url, Buffer.from(response.bytes).toString()]).toEqual([`${baseUrl}/b?x=1`, "/b"]);
  });

  it("returns a redirect that it may not follow, or throws", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 302, headers: { location: "/b" } }));
    expect(await read(`${baseUrl}/a`, "manual")).toMatchObject({ status: 302, url: `${baseUrl}/a` });
    await expect(read(`${baseUrl}/a`, "error")).rejects.toThrow(`${baseUrl}/a redirects to ${baseUrl}/b`);
    expect(received.map(({ path }) => path)).toEqual(["/a", "/a"]);
  });

  it("stops at a redirect loop", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 302, headers: { location: "/a" } }));
    await expect(read(`${baseUrl}/a`)).rejects.toThrow("redirects more than 20 times");
    expect(received).toHaveLength(21);
  });

  it("doesn't download an unwanted body", async () => {
    let isCut = false;
    const address = await startServer((_, response) => {
      response.on("close", () => (isCut = !response.writableFinished));
      response.writeHead(200, { "content-length": 100_000_000 });
      response.write(Buffer.alloc(1000));
    });
    const response = await sendPlainly(address, {
      headers: {},
      redirect: "follow",
      readsBody: () => false,
      signal: undefined,
    });
    expect(response).toMatchObject({ status: 200, bytes: new Uint8Array() });
    await expect.poll(() => isCut).toBe(true);
  });

  it("neither loads the bundled undici nor keeps the process running", async () => {
    const { baseUrl } = await startHost(() => ({ body: "Hello" }));
    const module = new URL("../../../src/client/transport/plain.ts", import.meta.url);
    const script = `
      const { sendPlainly } = await import(${JSON.stringify(module.href)});
      const { status } = await sendPlainly(${JSON.stringify(baseUrl)}, { headers: {}, redirect: "follow" });
      console.log(status, process.moduleLoadList.some((name) => name.endsWith("internal/deps/undici/undici")));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
    expect(stdout).toBe("200 false\n");
  });
});
