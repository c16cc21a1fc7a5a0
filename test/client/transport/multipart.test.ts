import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { encodeMultipart, openBody, type EncodedBody } from "../../../src/client/transport/body.ts";

async function readAll(body: EncodedBody): Promise<Buffer> {
  const opened = openBody(body);
  return opened instanceof Uint8Array ? Buffer.from(opened) : await buffer(opened);
}

async function decode(body: EncodedBody): Promise<FormData> {
  const headers = { "content-type": body.contentType };
  return new Response(new Uint8Array(await readAll(body)), { headers }).formData();
}

it("other parsers read the same file and fields from it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: "grapheme" }), async (content, text) => {
      const body = encodeMultipart([
        { kind: "file", name: "file", fileName: "hero.webp", contentType: "image/webp", bytes: content },
        { kind: "field", name: "alt", text },
      ]);
      const form = await decode(body);
      const file = form.get("file");
      expect(file).toBeInstanceOf(File);
      if (!(file instanceof File)) return;
      expect(file.name).toBe("hero.webp");
      expect(file.type).toBe("image/webp");
      expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(content));
      expect(form.get("alt")).toBe(text);
    }),
  );
});

it("produces the same bytes for the same form, so that an idempotency key matches the same request", () => {
  const part = { kind: "field", name: "title", text: "Hello" } as const;
  expect(encodeMultipart([part])).toEqual(encodeMultipart([part]));
  expect(encodeMultipart([part]).contentType).not.toBe(encodeMultipart([{ ...part, text: "Hullo" }]).contentType);
});

it("file names and content types can't inject a header or a part", async () => {
  const fileName = 'a"\r\nX-Injected: 1\r\n\r\nb.png';
  const body = encodeMultipart([
    { kind: "file", name: "file", fileName, contentType: "image/png\r\nX-Other: 1", bytes: Buffer.from("x") },
  ]);
  const text = (await readAll(body)).toString();
  expect(text).not.toMatch(/^X-(?:Injected|Other)/m);
  expect([...(await decode(body)).keys()]).toEqual(["file"]);
});

describe("a large file", () => {
  it("is sent as the same bytes as from memory, as often as needed", async () => {
    const { path, bytes } = await largeFile();
    const part = { kind: "file", name: "file", fileName: "film.mp4", contentType: "video/mp4" } as const;
    const read = { path, size: bytes.length, digest: "film" };
    const body = encodeMultipart([{ ...part, bytes: read }]);
    for (const _ of ["once", "again"]) {
      const file = (await decode(body)).get("file");
      expect(file instanceof File && Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    }
    expect(body.size).toBe((await readAll(body)).length);
  });

  it.each([
    { what: "shorter", size: -1 },
    { what: "longer", size: 1 },
  ])("that became $what since it was hashed causes an error and isn't sent", async ({ size }) => {
    const { path, bytes } = await largeFile();
    const body = encodeMultipart([
      {
        ...{ kind: "file", name: "file", fileName: "film.mp4", contentType: "video/mp4" },
        bytes: { path, size: bytes.length - size, digest: "film" },
      },
    ]);
    await expect(readAll(body)).rejects.toThrow("film.mp4 changed while it was sent");
  });
});

async function largeFile() {
  const folder = await mkdtemp(join(tmpdir(), "imprint-body-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [path, bytes] = [join(folder, "film.mp4"), randomBytes(700_000)];
  await writeFile(path, bytes);
  return { path, bytes };
}
