import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { Refusal } from "./refusal.ts";

export function unpack(body: Buffer, encoding: string | undefined): Buffer {
  try {
    if (encoding === "zstd") return zstdDecompressSync(body);
    return encoding === "gzip" ? gunzipSync(body) : body;
  } catch {
    throw new Refusal(400, "malformed_body");
  }
}

export function* readTar(tar: Buffer): Generator<{ readonly name: string; readonly bytes: Buffer }> {
  for (let at = 0; ;) {
    if (at + 512 > tar.length) throw new Refusal(400, "malformed_body");
    const name = tar.toString("latin1", at, at + 100).replace(/\0.*$/s, "");
    if (name === "") return;
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8);
    if (at + 512 + size > tar.length) throw new Refusal(400, "malformed_body");
    yield { name, bytes: tar.subarray(at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
