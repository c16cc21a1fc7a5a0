import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../../src/base/hash.ts";
import { openBlobs } from "../../../src/service/store/blobs.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("a sweep keeps a file that is stored again while it checks for uses", async () => {
  const folder = await temporaryFolder();
  const blobs = await openBlobs(folder);
  const bytes = new TextEncoder().encode("again");
  const hash = sha256(bytes);
  await blobs.write(hash, bytes);
  await utimes(join(folder, hash.slice(0, 2), hash), 0, 0);
  const isUsed = async () => {
    await blobs.write(hash, bytes);
    return false;
  };
  await blobs.sweep(isUsed, new Date());
  expect(await blobs.read(hash)).toEqual(Buffer.from(bytes));
});

it("a sweep continues if a listed file is already gone", async () => {
  const folder = await temporaryFolder();
  const blobs = await openBlobs(folder);
  const hashes = ["one", "two"].map((text) => sha256(new TextEncoder().encode(text)));
  for (const hash of hashes) {
    await blobs.write(hash, new Uint8Array());
    await utimes(join(folder, hash.slice(0, 2), hash), 0, 0);
  }
  // Another process sweeps at the same moment.
  const isUsed = async () => {
    for (const hash of hashes) await rm(join(folder, hash.slice(0, 2), hash), { force: true });
    return false;
  };
  await expect(blobs.sweep(isUsed, new Date())).resolves.toBeUndefined();
});
