import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/base/hash.ts";
import { encodeBundle, encodingFor } from "../../../src/client/releases/bundle.ts";
import { createTarBuffer, packTar, tarredSize } from "../../../src/client/releases/tar.ts";
import { openBody } from "../../../src/client/transport/body.ts";
import { seededRandom } from "../seeded-random.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-tar-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function bytesOf(size: number, random: () => number): Uint8Array {
  return Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
}

const EDGES = [0, 1, 511, 512, 513, 1023, 1024, 1025, 8191, 70_000];

describe("a bundle", () => {
  it.each([1, 2, 3, 4, 5])("can be extracted with the system's tar (seed %i)", async (seed) => {
    const random = seededRandom(seed);
    const sizes = [...EDGES, ...Array.from({ length: 20 }, () => Math.floor(random() * 20_000))];
    const contents = sizes.map((size, index) => {
      const bytes = bytesOf(size, random);
      return { name: sha256(`${seed} ${index}`), bytes };
    });
    const folder = await temporaryFolder();
    const tar = Buffer.concat(packTar(contents) as Uint8Array[]);
    expect(tar.length).toBe(sizes.reduce((sum, size) => sum + tarredSize(size), 1024));
    await writeFile(join(folder, "bundle.tar"), tar);
    execFileSync("tar", ["-xf", "bundle.tar"], { cwd: folder });
    const read = await Promise.all(contents.map(async ({ name }) => sha256(await readFile(join(folder, name)))));
    expect(read).toEqual(contents.map(({ bytes }) => sha256(bytes)));
    const listed = execFileSync("tar", ["-tf", "bundle.tar"], { cwd: folder, encoding: "utf8" });
    expect(listed.trim().split("\n")).toEqual(contents.map(({ name }) => name));
  });

  it("is the same tar if its buffer contained a larger one before", () => {
    const tar = createTarBuffer(4 * tarredSize(2000));
    for (const fill of [255, 254, 253]) tar.add(String(fill), new Uint8Array(2000).fill(fill));
    tar.clear();
    const [one, two] = [Buffer.from("one"), Buffer.alloc(513, "two")];
    expect(tar.add("1", one)).toEqual(one);
    expect(tar.add("2", two)).toEqual(two);
    const packed = packTar([
      { name: "1", bytes: one },
      { name: "2", bytes: two },
    ]);
    expect(tar.end()).toEqual(Buffer.concat(packed as Uint8Array[]));
  });

  it("is the same tar with every compression", async () => {
    const text = "<p>Ink is a paint.</p>".repeat(500);
    const contents = [{ hash: sha256(text), bytes: Buffer.from(text) }];
    const [plain, zstd, gzip] = await Promise.all([
      encodeBundle(contents, "identity"),
      encodeBundle(contents, "zstd"),
      encodeBundle(contents, "gzip"),
    ]);
    const [tar, packed, zipped] = [plain, zstd, gzip].map(({ body }) => openBody(body) as Uint8Array);
    expect(zstdDecompressSync(packed ?? "")).toEqual(tar);
    expect(gunzipSync(zipped ?? "")).toEqual(tar);
    expect([plain.headers, zstd.headers, gzip.headers]).toEqual([
      {},
      { "content-encoding": "zstd" },
      { "content-encoding": "gzip" },
    ]);
    expect(zstd.body.size).toBeLessThan(plain.body.size / 10);
  });

  it("reads a large file from disk while it is sent, and doesn't compress it", async () => {
    const folder = await temporaryFolder();
    const film = Buffer.alloc(700_001, "film");
    await writeFile(join(folder, "film.mp4"), film);
    const bytes = { path: join(folder, "film.mp4"), size: film.length, digest: sha256(film) };
    const { body, headers } = await encodeBundle([{ hash: sha256(film), bytes }], "zstd");
    const sent = openBody(body);
    const parts: Buffer[] = [];
    if (sent instanceof Uint8Array) throw new Error("expected a stream");
    for await (const part of sent) parts.push(part as Buffer);
    expect(headers).toEqual({});
    expect(Buffer.concat(parts).length).toBe(body.size);
    await writeFile(join(folder, "bundle.tar"), Buffer.concat(parts));
    execFileSync("tar", ["-xf", "bundle.tar"], { cwd: folder });
    expect(await readFile(join(folder, sha256(film)))).toEqual(film);
  });

  it("is sent uncompressed on this machine, and compressed over a network", () => {
    expect(encodingFor("http://127.0.0.1:4400")).toBe("identity");
    expect(encodingFor("http://localhost:4400/base")).toBe("identity");
    expect(encodingFor("https://publish.example")).toBe("zstd");
  });
});
