import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeMultipart } from "../../../src/client/transport/multipart.ts";
import type { EncodedBody } from "../../../src/client/transport/multipart.ts";

function decode({ contentType, bytes }: EncodedBody): Promise<FormData> {
  return new Response(Buffer.from(bytes), { headers: { "content-type": contentType } }).formData();
}

it("is read by others as the file and the fields that were put in", async () => {
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

it("gives the same bytes for the same form, so that an idempotency key meets the same request", () => {
  const part = { kind: "field", name: "title", text: "Hello" } as const;
  expect(encodeMultipart([part])).toEqual(encodeMultipart([part]));
  expect(encodeMultipart([part]).contentType).not.toBe(encodeMultipart([{ ...part, text: "Hullo" }]).contentType);
});

it("lets no file name and no content type add a header or a part", async () => {
  const fileName = 'a"\r\nX-Injected: 1\r\n\r\nb.png';
  const body = encodeMultipart([
    { kind: "file", name: "file", fileName, contentType: "image/png\r\nX-Other: 1", bytes: Buffer.from("x") },
  ]);
  const text = Buffer.from(body.bytes).toString();
  expect(text).not.toMatch(/^X-(?:Injected|Other)/m);
  expect([...(await decode(body)).keys()]).toEqual(["file"]);
});
