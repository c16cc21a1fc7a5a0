import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readBundle } from "../../../src/service/http/bundle.ts";
import { bundleOf, hashOf, tarOf } from "./publisher.ts";

const limit = { maxBytes: 100_000, code: "body_too_large" } as const;
const CONTENTS = ["<p>one", "", "x".repeat(512), "<p>four".repeat(200)] as const;
const BUNDLE = bundleOf(...CONTENTS);

const CODINGS = {
  identity: BUNDLE,
  gzip: gzipSync(BUNDLE),
  zstd: zstdCompressSync(BUNDLE),
} as const;

async function codeOf(body: Uint8Array, contentEncoding: string | null): Promise<unknown> {
  return await readBundle(new Uint8Array(body), { contentEncoding, limit }).then(
    (entries) => entries.length,
    (error: unknown) => Object(error).code,
  );
}

describe.each(Object.entries(CODINGS))("a bundle sent as %s", (coding, body) => {
  it("contains the files that were added", async () => {
    const entries = await readBundle(new Uint8Array(body), { contentEncoding: coding, limit });
    expect(entries.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual(
      CONTENTS.map((content) => [hashOf(content), content]),
    );
  });

  it("is rejected as a whole if truncated at any byte", async () => {
    const codes = new Set<unknown>();
    for (let length = 0; length < body.length; length++) codes.add(await codeOf(body.subarray(0, length), coding));
    expect([...codes]).toEqual(["malformed_body"]);
  });

  it("is rejected if it exceeds the limit once decompressed", async () => {
    const options = { contentEncoding: coding, limit: { ...limit, maxBytes: 1000 } };
    const read = async () => await readBundle(new Uint8Array(body), options);
    if (coding === "identity") expect((await read()).length).toBe(4);
    else await expect(read()).rejects.toMatchObject({ code: "body_too_large" });
  });
});

describe("a bundle", () => {
  it("is rejected if a header or its compressed bytes are damaged", async () => {
    const flipped = (bytes: Uint8Array, place: number) => {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(place) ^ 0x10, place);
      return damaged;
    };
    expect(await codeOf(flipped(BUNDLE, 3), null)).toBe("malformed_body");
    expect(await codeOf(flipped(BUNDLE, 130), null)).toBe("malformed_body");
    expect(await codeOf(flipped(CODINGS.gzip, 60), "gzip")).toBe("malformed_body");
    expect(await codeOf(BUNDLE, "br")).toBe("unsupported_media_type");
    expect(await codeOf(BUNDLE, "gzip")).toBe("malformed_body");
  });

  it("can contain only files", async () => {
    const link = tarOf([["link", ""]]);
    link.write("2", 156);
    const sum = Number.parseInt(link.toString("latin1", 148, 154), 8) + 2;
    link.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    expect(await codeOf(link, null)).toBe("malformed_body");
  });
});
