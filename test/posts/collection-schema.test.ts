import { mkdtemp, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSchemaReader } from "../../src/posts/write/collection-schema.ts";

it("reports in one sentence that Astro isn't installed, and how to install it", async () => {
  const root = await mkdtemp(join(tmpdir(), "imprint-schema-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "src"));
  await writeFile(join(root, "package.json"), "{}");
  await writeFile(join(root, "src/content.config.ts"), "export const collections = {};");
  const { problem } = await createSchemaReader()({ root, folder: "src/content/blog" });
  expect(problem).toBe(
    "The collection's schema couldn't be read because Astro isn't installed in this project. Run `npm install`.",
  );
});
