import { expect, it } from "vitest";
import { ImprintError } from "../../../src/base/error.ts";
import type { ReleaseContent } from "../../../src/client/releases/bundle.ts";
import { packTar } from "../../../src/client/releases/tar.ts";
import { RequestFailure } from "../../../src/client/transport/outcome.ts";
import { createBundles, formOf } from "../../../src/sync/release/bundles.ts";

const KB = 1024;

function contentOf(hash: string, bytes: number): ReleaseContent {
  return { hash, bytes: new Uint8Array(bytes) };
}

function tooLarge(): ImprintError {
  const cause = new RequestFailure({ message: "413", stage: "answered", status: 413 });
  return new ImprintError("SERVICE_REFUSED", "too large", { cause });
}

it("fills bundles up to their maximum size, with separate ones for text and compressed files", async () => {
  const sent: string[] = [];
  const bundles = createBundles({
    bundleBytes: 10 * KB,
    inFlight: 2,
    send: async ({ contents }, form) => void sent.push(`${form}: ${contents.map(({ hash }) => hash).join(" ")}`),
  });
  for (const name of ["a", "b", "c"]) await bundles.add(contentOf(name, 4 * KB), "text");
  await bundles.add(contentOf("photo", 9 * KB), "packed");
  await bundles.finish();
  expect(sent).toEqual(["text: a b", "packed: photo", "text: c"]);
});

it("keeps only as many bundles in memory as are being sent", async () => {
  let [onTheWay, most] = [0, 0];
  const bundles = createBundles({
    bundleBytes: 2 * KB,
    inFlight: 3,
    async send() {
      most = Math.max(most, ++onTheWay);
      await new Promise(setImmediate);
      onTheWay -= 1;
    },
  });
  for (let number = 0; number < 40; number += 1) await bundles.add(contentOf(String(number), KB), "text");
  await bundles.finish();
  expect(most).toBe(3);
  expect(onTheWay).toBe(0);
});

it("reuses the memory of sent bundles", async () => {
  const memory = new Set<ArrayBufferLike>();
  const bundles = createBundles({
    bundleBytes: 40 * KB,
    inFlight: 3,
    async send({ contents, tar }) {
      const sent = tar?.end() ?? new Uint8Array();
      memory.add(sent.buffer);
      await new Promise(setImmediate);
      const packed = packTar(contents.map(({ hash }) => ({ name: hash, bytes: pageOf(hash) })));
      expect(Buffer.compare(sent, Buffer.concat(packed as Uint8Array[]))).toBe(0);
    },
  });
  for (let number = 0; number < 400; number += 1) {
    await bundles.add({ hash: String(number), bytes: pageOf(String(number)) }, "text");
  }
  await bundles.finish();
  expect(memory.size).toBe(4);
});

function pageOf(hash: string): Uint8Array {
  return Buffer.from(`<p>${hash}</p>`.repeat(1 + (Number(hash) % 700)));
}

it("sends smaller bundles if a proxy rejects large ones, and all content once", async () => {
  const taken: string[] = [];
  const sizes: number[] = [];
  const bundles = createBundles({
    bundleBytes: 2048 * KB,
    inFlight: 1,
    async send({ contents }) {
      const bytes = contents.reduce((sum, { bytes: content }) => sum + (content as Uint8Array).length, 0);
      sizes.push(bytes);
      if (bytes > 400 * KB) throw tooLarge();
      taken.push(...contents.map(({ hash }) => hash));
    },
  });
  const names = Array.from({ length: 300 }, (_, number) => String(number));
  for (const name of names) await bundles.add(contentOf(name, 20 * KB), "text");
  await bundles.finish();
  expect(taken.toSorted()).toEqual(names.toSorted());
  // Only the first bundles were too large.
  expect(sizes.filter((bytes) => bytes > 400 * KB).length).toBeLessThan(6);
});

it("fails if a single file is rejected, with the reason", async () => {
  const bundles = createBundles({
    bundleBytes: 2048 * KB,
    inFlight: 4,
    send: () => Promise.reject(tooLarge()),
  });
  await bundles.add(contentOf("a", 100 * KB), "text");
  await expect(bundles.finish()).rejects.toMatchObject({ code: "SERVICE_REFUSED" });
  await expect(bundles.add(contentOf("b", KB), "text")).rejects.toMatchObject({ code: "SERVICE_REFUSED" });
});

it("compresses text", () => {
  expect(["text/html", "image/svg+xml", "text/javascript", "application/json", "font/ttf"].map(formOf)).toEqual(
    Array.from({ length: 5 }, () => "text"),
  );
  expect(["image/avif", "font/woff2", "video/mp4", "application/zip"].map(formOf)).toEqual(
    Array.from({ length: 4 }, () => "packed"),
  );
});
