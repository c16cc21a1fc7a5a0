import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { openS3Blobs, type S3Blobs } from "../../src/service/store/s3-blobs.ts";
import { StoreLostError } from "../../src/service/store/store-lost-error.ts";
import { bucket, freshBucket } from "./servers.ts";
import { startS3 } from "./start-s3.ts";

const HOUR = 3_600_000;

interface Blob {
  readonly hash: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function blobOf(bytes: Uint8Array<ArrayBuffer>): Blob {
  return { hash: createHash("sha256").update(bytes).digest("hex"), bytes };
}

function open(): Promise<S3Blobs> {
  return openS3Blobs(freshBucket(), { isEphemeral: false });
}

async function bytesOf(content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(content).arrayBuffer());
}

it("returns byte for byte what was stored, however large, and however often", async () => {
  const blobs = await open();
  for (const size of [0, 1, 3_000_000]) {
    const { hash, bytes } = blobOf(new Uint8Array(randomBytes(size)));
    await blobs.write(hash, bytes);
    await blobs.write(hash, bytes);
    expect(Buffer.compare(await blobs.read(hash), bytes)).toBe(0);
    expect(Buffer.compare(await bytesOf(await blobs.open(hash)), bytes)).toBe(0);
  }
});

it("returns a range of a file", async () => {
  const blobs = await open();
  const { hash, bytes } = blobOf(new TextEncoder().encode("0123456789"));
  await blobs.write(hash, bytes);
  expect(String(await bytesOf(await blobs.open(hash, { start: 2, end: 4 })))).toBe("234");
});

it("fails for a missing file", async () => {
  const blobs = await open();
  await expect(blobs.open("a".repeat(64))).rejects.toThrow("404");
});

it("deletes unused files older than an hour", async () => {
  const options = freshBucket();
  const [blobs, others] = [
    await openS3Blobs(options, { isEphemeral: false }),
    await openS3Blobs({ ...options, prefix: `${options.prefix}deeper/` }, { isEphemeral: false }),
  ];
  const stored = Array.from({ length: 12 }, (_, index) => blobOf(new Uint8Array([index])));
  for (const { hash, bytes } of stored) await blobs.write(hash, bytes);
  const [first, second] = stored;
  if (first === undefined || second === undefined) throw new Error("There is no blob.");
  await others.write(first.hash, first.bytes);
  const isUsed = async (hash: string) => hash === first.hash;
  await blobs.sweep(isUsed, new Date());
  expect(await blobs.read(second.hash)).toEqual(second.bytes);
  await blobs.sweep(isUsed, new Date(Date.now() + 2 * HOUR));
  expect(await blobs.read(first.hash)).toEqual(first.bytes);
  for (const { hash } of stored.slice(1)) await expect(blobs.read(hash)).rejects.toThrow("404");
  // Files with another prefix aren't ours.
  expect(await others.read(first.hash)).toEqual(first.bytes);
});

// s3rver can't continue a list on Node without `createCipher`.
it("reads all pages of a list during a sweep", async () => {
  const deleted: string[] = [];
  const key = (letter: string) => letter.repeat(64);
  const parts: Readonly<Record<string, string>> = {
    "": `<Contents><Key>p/${key("a")}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents><NextContinuationToken>next/+=</NextContinuationToken>`,
    "next/+=": `<Contents><Key>p/${key("b")}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
  };
  const server = createServer(({ method, url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    if (method === "DELETE") deleted.push(pathname);
    response.setHeader("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT");
    response.end(parts[searchParams.get("continuation-token") ?? ""] ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${Object(server.address()).port}`;
  const blobs = await openS3Blobs({ ...bucket(), endpoint, prefix: "p/" }, { isEphemeral: false });
  await blobs.sweep(async () => false, new Date("2026-01-02T00:00:00Z"));
  expect(deleted).toEqual([`/imprint/p/${key("a")}`, `/imprint/p/${key("b")}`]);
});

it("leaves nothing of an ephemeral service behind", async () => {
  const options = freshBucket();
  const blobs = await openS3Blobs(options, { isEphemeral: true });
  const { hash, bytes } = blobOf(new Uint8Array([1]));
  await blobs.write(hash, bytes);
  await blobs.close();
  await expect(blobs.read(hash)).rejects.toThrow("404");
});

it("reports problems with a bucket before using it", async () => {
  const opening = openS3Blobs({ ...bucket(), bucket: "missing" }, { isEphemeral: false });
  await expect(opening).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE", message: expect.stringContaining("404") });
  const wrongKey = openS3Blobs({ ...bucket(), accessKeyId: "unknown" }, { isEphemeral: false });
  await expect(wrongKey).rejects.toMatchObject({
    code: "STORAGE_UNREACHABLE",
    message: expect.stringContaining("403"),
  });
});

it("distinguishes an outage from a missing file", async () => {
  const server = await startS3();
  const blobs = await openS3Blobs(server.options, { isEphemeral: false });
  await server.close();
  await expect(blobs.read("a".repeat(64))).rejects.toBeInstanceOf(StoreLostError);
});
