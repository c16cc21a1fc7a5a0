import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { failure, testClient } from "./clients.ts";
import { listen } from "./host.ts";

const PAGES = JSON.stringify([{ id: "1", slug: "home" }]);

async function startCompressing(encoding: string, bytes: Uint8Array): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(bytes);
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

it.each([
  ["gzip", gzipSync(PAGES)],
  ["x-gzip", gzipSync(PAGES)],
  ["br", brotliCompressSync(PAGES)],
  ["deflate", deflateSync(PAGES)],
])("a response that a proxy compresses with %s unasked is read", async (encoding, bytes) => {
  const baseUrl = await startCompressing(encoding, bytes);
  expect((await testClient({ baseUrl }).pages.list()).items).toEqual([{ id: "1", slug: "home" }]);
});

it.each([
  ["gzip", Buffer.from("no gzip")],
  ["compress", Buffer.from("lzw")],
])("a response that can't be decompressed (%s) is reported as such", async (encoding, bytes) => {
  const baseUrl = await startCompressing(encoding, bytes);
  const error = await failure(testClient({ baseUrl }).pages.list());
  expect([error.code, error.message]).toEqual([
    "RESPONSE_UNREADABLE",
    expect.stringContaining(`compressed (${encoding})`),
  ]);
});

it("a response that grows beyond the limit when it is decompressed is not read", async () => {
  const baseUrl = await startCompressing("gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024)));
  expect((await failure(testClient({ baseUrl }).pages.list())).code).toBe("RESPONSE_UNREADABLE");
});
