import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { createTextStore } from "../../src/disk/text-store.ts";

it("returns every text, whether it fits into memory or not, even if many are stored concurrently", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.nat(40), async (texts, maxLength) => {
      const store = createTextStore(maxLength);
      const kept = await Promise.all(texts.map((text) => store.keep(text)));
      const read = await Promise.all(kept.toReversed().map((readText) => readText()));
      await store.close();
      expect(read.toReversed()).toEqual(texts);
    }),
  );
});

it("creates a file only for what doesn't fit, and leaves none behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "imprint-store-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const store = createTextStore(5);
  await store.keep("small");
  expect(await readdir(folder)).toEqual([]);
  await store.keep("larger");
  const [made = ""] = await readdir(folder);
  expect(await readdir(join(folder, made))).toEqual(["texts"]);
  await store.close();
  expect(await readdir(folder)).toEqual([]);
});

it("keeps nothing in memory of a text that doesn't fit", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heldBytes = () => {
    collect();
    return getHeapStatistics().used_heap_size;
  };
  const store = createTextStore(0);
  onTestFinished(store.close);
  const before = heldBytes();
  const kept: (() => Promise<string>)[] = [];
  for (let number = 10; number < 50; number += 1) kept.push(await store.keep(`${number}`.repeat(500_000)));
  expect(heldBytes() - before).toBeLessThan(5_000_000);
  expect(await kept[7]?.()).toBe("17".repeat(500_000));
});
