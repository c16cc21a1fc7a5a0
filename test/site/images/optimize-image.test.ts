import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { isFile, sizeOf } from "../../../src/base/bytes.ts";
import { ImprintError } from "../../../src/base/error.ts";
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import {
  createImageOptimizer,
  RECIPE,
  type ImageOptimizerSettings,
  type OptimizedImage,
} from "../../../src/site/images/optimize-image.ts";
import { readPlanes } from "../../../src/site/images/decode.ts";
import { similarity } from "../../../src/site/images/similarity.ts";
import type { SiteAsset } from "../../../src/site/model.ts";
import { assetOf, createFolder, TYPES } from "./image-files.ts";
import { animation, colorAt, graphic, logo, photo } from "./pictures.ts";
import { IS_WHOLE } from "../../whole.ts";

/** An optimized image with its bytes. */
interface ReadImage extends OptimizedImage {
  readonly bytes: Uint8Array;
}

async function optimize(
  name: string,
  bytes: Uint8Array,
  { mode, ...settings }: Partial<ImageOptimizerSettings> & { readonly mode: SiteAsset["optimize"] },
): Promise<ReadImage> {
  const optimizer = createImageOptimizer({ cacheDir: join(await createFolder(), "cache"), ...settings });
  const image = await optimizer.optimize(await assetOf(name, bytes, mode));
  return { ...image, bytes: isFile(image.bytes) ? await readFile(image.bytes.path) : image.bytes };
}

async function likeness(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [[first], [second]] = [await readPlanes(sharp, one), await readPlanes(sharp, other)];
  return first === undefined || second === undefined ? 0 : similarity(first, second);
}

describe("an image that may change its type", () => {
  it("becomes a smaller AVIF or WebP with the same dimensions and visual quality", async () => {
    const original = await (await photo()).jpeg({ quality: 95 }).toBuffer();
    const image = await optimize("hero.jpg", original, { mode: "any-type" });
    expect(["image/avif", "image/webp"]).toContain(image.contentType);
    expect(image.name).toBe(image.contentType === "image/avif" ? "hero.avif" : "hero.webp");
    expect(image.bytes.length).toBeLessThan(original.length * 0.6);
    expect(image).toMatchObject({ width: 480, height: 320, bytesBefore: original.length });
    expect(await likeness(original, image.bytes)).toBeGreaterThanOrEqual(0.95);
  });

  it("becomes only types that the settings allow", async () => {
    const original = await (await photo()).jpeg({ quality: 95 }).toBuffer();
    const image = await optimize("hero.jpg", original, { mode: "any-type", formats: ["webp"] });
    expect(image.contentType).toBe("image/webp");
  });

  it("keeps its type if the settings allow no other", async () => {
    const original = await (await photo()).jpeg({ quality: 95 }).toBuffer();
    const image = await optimize("hero.jpg", original, { mode: "any-type", formats: [] });
    expect(image).toMatchObject({ contentType: "image/jpeg", name: "hero.jpg" });
    expect(image.bytes.length).toBeLessThan(original.length);
  });

  it("keeps sharp letters: a screenshot is nearly identical", async () => {
    const original = await graphic().png().toBuffer();
    const image = await optimize("screen.png", original, { mode: "any-type" });
    expect(image.bytes.length).toBeLessThan(original.length * 0.7);
    expect(await likeness(original, image.bytes)).toBeGreaterThanOrEqual(0.98);
  });

  it("keeps its transparency", async () => {
    const original = await logo().png().toBuffer();
    const image = await optimize("logo.png", original, { mode: "any-type" });
    const { data, info } = await sharp(image.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(image.bytes.length).toBeLessThan(original.length);
    expect(data[3]).toBe(0);
    expect(data[(120 * info.width + 60) * 4 + 3]).toBeGreaterThan(250);
  });

  it("stays animated, with the same frames and speed", async () => {
    const original = await (await animation()).gif({ delay: [100, 100, 100, 100, 100, 300] }).toBuffer();
    const image = await optimize("loop.gif", original, { mode: "any-type" });
    const after = await sharp(image.bytes).metadata();
    expect(image.contentType).toBe("image/webp");
    expect(image.bytes.length).toBeLessThan(original.length);
    expect(after.pages).toBe(6);
    expect(after.delay).toEqual([100, 100, 100, 100, 100, 300]);
    expect(image).toMatchObject({ width: 120, height: 90 });
  });
});

describe("an image that must keep its type", () => {
  it.each([
    ["card.jpg", async () => await (await photo()).jpeg({ quality: 97 }).toBuffer()],
    ["card.png", async () => await graphic().png({ compressionLevel: 1 }).toBuffer()],
    ["card.webp", async () => await (await photo()).webp({ quality: 98 }).toBuffer()],
    ["card.gif", async () => await (await animation()).gif({ effort: 1, reuse: false }).toBuffer()],
  ])("%s is smaller, with the same type and name", async (name, make) => {
    const original = await make();
    const image = await optimize(name, original, { mode: "same-type" });
    expect(image).toMatchObject({ name, contentType: TYPES[name.split(".").at(-1) ?? ""] });
    expect(image.bytes.length).toBeLessThanOrEqual(original.length);
    expect((await sharp(image.bytes).metadata()).format).toBe(name === "card.jpg" ? "jpeg" : name.split(".").at(-1));
    expect((await sharp(image.bytes).metadata()).pages).toBe((await sharp(original).metadata()).pages);
  });

  it("is identified by its bytes, not by its name", async () => {
    const image = await optimize("really-a.jpg", await graphic().png({ compressionLevel: 0 }).toBuffer(), {
      mode: "same-type",
    });
    expect(image).toMatchObject({ contentType: "image/png", name: "really-a.png" });
  });
});

describe("the original is sent byte for byte:", () => {
  it.each([
    ["tiny.jpg", "same-type", async () => await (await photo(64, 48)).jpeg({ quality: 8, mozjpeg: true }).toBuffer()],
    ["small.webp", "same-type", async () => await (await photo(64, 48)).webp({ quality: 5, effort: 6 }).toBuffer()],
    ["done.jpg", "never", async () => await (await photo()).jpeg({ quality: 100 }).toBuffer()],
    ["done.avif", "any-type", async () => await (await photo()).avif({ quality: 90, effort: 0 }).toBuffer()],
    ["drawing.svg", "any-type", async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["favicon.ico", "same-type", async () => Buffer.from([0, 0, 1, 0, 0, 0])],
  ] as const)("%s in mode %s", async (name, mode, make) => {
    const original = await make();
    const image = await optimize(name, original, { mode });
    expect(Buffer.from(image.bytes).equals(original)).toBe(true);
    expect(image).toMatchObject({
      name,
      contentType: TYPES[name.split(".").at(-1) ?? ""],
      bytesBefore: original.length,
    });
  });

  it("if it is an animated PNG, whose frames sharp can't read", async () => {
    const still = await graphic().png({ compressionLevel: 0 }).toBuffer();
    // A chunk of animation control after the header: length, name, two numbers and their checksum.
    const control = Buffer.from("000000086163544c0000000200000000f38d9370", "hex");
    const original = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
    const image = await optimize("moving.png", original, { mode: "any-type" });
    expect(Buffer.from(image.bytes).equals(original)).toBe(true);
  });

  it("if it has more pixels than the decoding limit, which is reported", async () => {
    const original = await sharp({ create: { width: 8000, height: 7000, channels: 3, background: "#888" } })
      .png()
      .toBuffer();
    const warnings: string[] = [];
    const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
    const image = await optimize("poster.png", original, { mode: "any-type", logger });
    expect(Buffer.from(image.bytes).equals(original)).toBe(true);
    expect(image).toMatchObject({ width: 8000, height: 7000 });
    expect(warnings.join()).toMatch(/poster\.png, .* 56,000,000 pixels/);
  });
});

describe("a re-encoded image", () => {
  it("is rotated upright, without its location, camera, and author", async () => {
    const original = await (
      await photo()
    )
      .jpeg({ quality: 95 })
      .withExif({
        IFD0: { Artist: "Jane", Copyright: "Doe" },
        IFD3: { GPSLatitude: "52/1 31/1 0/1" },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const image = await optimize("phone.jpg", original, { mode: "any-type" });
    const metadata = await sharp(image.bytes).metadata();
    expect((await sharp(original).metadata()).exif?.includes("Jane")).toBe(true);
    expect(image).toMatchObject({ width: 320, height: 480 });
    expect(metadata).toMatchObject({ width: 320, height: 480 });
    expect(metadata.exif).toBeUndefined();
    expect(await likeness(original, image.bytes)).toBeGreaterThanOrEqual(0.95);
  });

  it.each(["any-type", "same-type"] as const)(
    "shows the colors of a wide-gamut photo on an sRGB screen (%s)",
    async (mode) => {
      const original = await (await photo()).jpeg({ quality: 96 }).withIccProfile("p3").toBuffer();
      const image = await optimize("wide.jpg", original, { mode });
      const region = { left: 100, top: 100, width: 80, height: 80 };
      const [before, after] = [await colorAt(original, region), await colorAt(image.bytes, region)];
      expect(image.bytes.length).toBeLessThan(original.length);
      after.forEach((value, index) => expect(Math.abs(value - (before[index] ?? 0))).toBeLessThanOrEqual(3));
    },
  );

  it("is sRGB if the original is CMYK, so that every browser shows the right colors", async () => {
    const original = await (await photo()).toColourspace("cmyk").jpeg({ quality: 96 }).toBuffer();
    const image = await optimize("print.jpg", original, { mode: "same-type" });
    const region = { left: 100, top: 100, width: 80, height: 80 };
    const [before, after] = [await colorAt(original, region), await colorAt(image.bytes, region)];
    expect((await sharp(original).metadata()).space).toBe("cmyk");
    expect((await sharp(image.bytes).metadata()).space).toBe("srgb");
    after.forEach((value, index) => expect(Math.abs(value - (before[index] ?? 0))).toBeLessThanOrEqual(3));
  });
});

describe("a broken image", () => {
  it.each([
    ["cut.jpg", async () => (await (await photo()).jpeg({ quality: 90 }).toBuffer()).subarray(0, 9000)],
    ["cut.png", async () => (await (await photo()).png().toBuffer()).subarray(0, 20_000)],
    ["text.png", async () => Buffer.from("this is no picture")],
    ["empty.webp", async () => Buffer.alloc(0)],
  ])("%s causes an error with its name and the page that uses it", async (name, make) => {
    const bytes = Buffer.from(await make());
    const error: unknown = await optimize(name, bytes, { mode: "any-type" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImprintError);
    expect(error).toMatchObject({ code: "IMAGE_BROKEN", location: { file: "about/index.html" } });
    expect(String(error)).toMatch(
      new RegExp(`${name.replace(".", "\\.")}, used in about/index\\.html, can't be decoded: `),
    );
  });

  it("that doesn't exist is named as missing", async () => {
    const optimizer = createImageOptimizer({ cacheDir: await createFolder() });
    const asset = await assetOf("gone.png", Buffer.from("x"), "any-type");
    const gone = { ...asset, source: { kind: "file", path: "/nowhere/gone.png", bytes: 1 } } as const;
    await expect(optimizer.optimize(gone)).rejects.toMatchObject({ code: "ASSET_MISSING" });
  });
});

describe("the cache", () => {
  it("returns the same image without decoding it again, and survives damage", async () => {
    const cacheDir = join(await createFolder(), "cache");
    const asset = await assetOf("hero.jpg", await (await photo()).jpeg({ quality: 95 }).toBuffer(), "any-type");
    const first = await createImageOptimizer({ cacheDir }).optimize(asset);
    const second = await createImageOptimizer({ cacheDir }).optimize(asset);
    expect(second).toEqual(first);
    const [entry = ""] = await readdir(cacheDir);
    const content = await readFile(join(cacheDir, entry));
    for (const damaged of [
      content.subarray(0, content.length - 10),
      Buffer.from("{}\n"),
      Buffer.from("garbage"),
      Buffer.alloc(0),
    ]) {
      await writeFile(join(cacheDir, entry), damaged);
      expect(await createImageOptimizer({ cacheDir }).optimize(asset)).toEqual(first);
    }
    expect((await readFile(join(cacheDir, entry))).equals(content)).toBe(true);
    expect(await readdir(cacheDir)).toHaveLength(1);
  });

  it("is used: its content is what is sent", async () => {
    const cacheDir = join(await createFolder(), "cache");
    const original = await (await photo(64, 48)).jpeg({ quality: 8, mozjpeg: true }).toBuffer();
    const asset = await assetOf("tiny.jpg", original, "same-type");
    await createImageOptimizer({ cacheDir }).optimize(asset);
    const [entry = ""] = await readdir(cacheDir);
    await writeFile(join(cacheDir, entry), '{"format":"jpeg","width":1,"height":2,"isTooLarge":false,"hash":null}\n');
    expect(await createImageOptimizer({ cacheDir }).optimize(asset)).toMatchObject({ width: 1, height: 2 });
  });

  it("has sharp's version in its keys, without loading sharp for them", () => {
    expect(RECIPE).toContain(`sharp ${sharp.versions.sharp}`);
  });

  it("has separate entries per setting", async () => {
    const cacheDir = join(await createFolder(), "cache");
    const asset = await assetOf("hero.jpg", await (await photo()).jpeg({ quality: 95 }).toBuffer(), "any-type");
    const webp = await createImageOptimizer({ cacheDir, formats: ["webp"] }).optimize(asset);
    const avif = await createImageOptimizer({ cacheDir, formats: ["avif"] }).optimize(asset);
    expect([webp.contentType, avif.contentType]).toEqual(["image/webp", "image/avif"]);
  });

  it("that isn't writable is reported once, and images are still optimized", async () => {
    const folder = await createFolder();
    const cacheDir = join(folder, "file", "cache");
    await writeFile(join(folder, "file"), "no folder");
    const warnings: string[] = [];
    const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
    const optimizer = createImageOptimizer({ cacheDir, logger });
    const asset = await assetOf("hero.jpg", await (await photo()).jpeg({ quality: 95 }).toBuffer(), "same-type");
    const other = await assetOf("logo.png", await logo().png().toBuffer(), "same-type");
    const images = [await optimizer.optimize(asset), await optimizer.optimize(other)];
    expect(images.every((image) => sizeOf(image.bytes) <= image.bytesBefore)).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(cacheDir);
  });
});

it("optimizes several images concurrently, each with its own result", async () => {
  const optimizer = createImageOptimizer({ cacheDir: join(await createFolder(), "cache"), concurrency: 2 });
  const sizes = [40, 60, 80, 100, 120, 140];
  const assets = await Promise.all(
    sizes.map(
      async (size) =>
        await assetOf(`p${size}.jpg`, await (await photo(size, size)).jpeg({ quality: 95 }).toBuffer(), "same-type"),
    ),
  );
  const images = await Promise.all(assets.map(async (asset) => await optimizer.optimize(asset)));
  expect(images.map(({ width }) => width)).toEqual(sizes);
});

it.runIf(IS_WHOLE)("keeps the visual quality if it was determined on samples, in each format", async () => {
  const original = await (await photo(1200, 900)).jpeg({ quality: 95 }).toBuffer();
  for (const formats of [["avif"], ["webp"], []] as const) {
    const image = await optimize("large.jpg", original, { mode: "any-type", formats });
    expect(image.bytes.length).toBeLessThan(original.length * 0.7);
    expect(await likeness(original, image.bytes)).toBeGreaterThanOrEqual(0.95);
  }
});

it.runIf(IS_WHOLE)(
  "keeps the visual quality and the orientation if an image is too large to keep its dimensions",
  async () => {
    const enlarged = (await photo(1280, 900)).resize(2560, 1800, { kernel: "nearest" });
    const original = await enlarged.jpeg({ quality: 92 }).withMetadata({ orientation: 6 }).toBuffer();
    const image = await optimize("phone.jpg", original, { mode: "any-type" });
    expect(image).toMatchObject({ width: 1800, height: 2560 });
    expect(await likeness(original, image.bytes)).toBeGreaterThanOrEqual(0.95);
  },
);
