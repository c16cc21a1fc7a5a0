import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { planesOf, similarity, type Planes } from "../../../src/site/images/similarity.ts";
import { graphic, logo, photo } from "./pictures.ts";

async function planes(image: Sharp): Promise<Planes> {
  const { data, info } = await sharp(await image.png().toBuffer())
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return planesOf({ data, width: info.width, height: info.height, channels: info.channels });
}

async function encoded(image: Sharp, encode: (image: Sharp) => Sharp): Promise<Planes> {
  return await planes(sharp(await encode(sharp(await image.png().toBuffer())).toBuffer()));
}

describe("similarity", () => {
  it("is 1 for equal pictures of any size, whatever they show", () => {
    const picture = fc
      .record({
        width: fc.integer({ min: 1, max: 20 }),
        height: fc.integer({ min: 1, max: 20 }),
        channels: fc.constantFrom(3, 4),
      })
      .chain(({ width, height, channels }) =>
        fc
          .uint8Array({ minLength: width * height * channels, maxLength: width * height * channels })
          .map((data) => planesOf({ data, width, height, channels })),
      );
    fc.assert(
      fc.property(picture, (pixels) => {
        expect(similarity(pixels, pixels)).toBeCloseTo(1, 6);
      }),
    );
  });

  it("is symmetric, and at most 1", () => {
    const pair = fc.tuple(
      fc.uint8Array({ minLength: 300, maxLength: 300 }),
      fc.uint8Array({ minLength: 300, maxLength: 300 }),
    );
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const [first, second] = [one, other].map((data) => planesOf({ data, width: 10, height: 10, channels: 3 }));
        if (first === undefined || second === undefined) throw new Error("There are two pictures.");
        expect(similarity(first, second)).toBeLessThanOrEqual(1);
        expect(similarity(first, second)).toBeCloseTo(similarity(second, first), 9);
      }),
    );
  });

  it("decreases with a photograph's quality", async () => {
    const original = await planes(await photo());
    const values = await Promise.all(
      [95, 80, 60, 30, 10].map(async (quality) =>
        similarity(original, await encoded(await photo(), (image) => image.jpeg({ quality }))),
      ),
    );
    expect(values).toEqual(values.toSorted((one, other) => other - one));
    expect(values[0]).toBeGreaterThan(0.95);
    expect(values[4]).toBeLessThan(0.85);
  });

  it("detects damaged letters on a large white page", async () => {
    const original = await planes(graphic());
    expect(similarity(original, await encoded(graphic(), (image) => image.jpeg({ quality: 15 })))).toBeLessThan(0.9);
  });

  it("detects missing color even if brightness is the same", async () => {
    const original = await planes(graphic());
    expect(
      similarity(original, await encoded(graphic(), (image) => image.grayscale().toColourspace("srgb"))),
    ).toBeLessThan(0.95);
  });

  it("detects missing transparency even if the picture looks the same on white", async () => {
    const original = await planes(logo());
    expect(similarity(original, await encoded(logo(), (image) => image.flatten({ background: "#fff" })))).toBeLessThan(
      0.5,
    );
  });

  it("is 0 for pictures with different dimensions", async () => {
    expect(similarity(await planes(logo()), await planes(graphic()))).toBe(0);
  });
});
