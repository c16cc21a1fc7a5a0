import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { openMemory, withMemory } from "../../src/memory/memory.ts";
import { createPostJournal } from "../../src/posts/memory/journal.ts";
import { createStateFiles } from "../../src/sync/state-store.ts";
import { sha256 } from "../../src/base/hash.ts";

async function openProject() {
  const root = await mkdtemp(join(tmpdir(), "imprint-memory-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, ".imprint");
  const warnings: string[] = [];
  const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
  const write = (name: string, value: unknown) =>
    withMemory(root, { logger }, (memory) => memory.write([{ topic: "t", name, value }]));
  const read = () => Object.fromEntries(withMemory(root, { access: "read", logger }, (memory) => memory.read("t")));
  return { root, folder, file: join(folder, "memory.sqlite"), warnings, logger, write, read };
}

it("returns entries in the order in which they were first stored", async () => {
  const { write, read } = await openProject();
  write("b", 1);
  write("a", { deep: [null, "x"] });
  write("b", 2);
  expect(Object.entries(read())).toEqual([
    ["b", 2],
    ["a", { deep: [null, "x"] }],
  ]);
  write("b", undefined);
  expect(read()).toEqual({ a: { deep: [null, "x"] } });
});

it("reading creates no file", async () => {
  const { root, read } = await openProject();
  expect(read()).toEqual({});
  expect(await readdir(root)).toEqual([]);
});

it.each([
  { what: "no database", damage: () => "{}" },
  { what: "cut off", damage: (bytes: Buffer) => bytes.subarray(0, 4096) },
  { what: "overwritten in the middle", damage: (bytes: Buffer) => bytes.fill(0x2a, 4096) },
])("moves a file that is $what aside, with a warning, and starts empty", async ({ damage }) => {
  const { folder, file, warnings, write, read } = await openProject();
  for (let index = 0; index < 200; index++) write(`name ${index}`, "x".repeat(100));
  await writeFile(file, damage(await readFile(file)));
  expect(read()).toEqual({});
  expect(warnings).toEqual([expect.stringContaining("memory.sqlite can't be used")]);
  expect(await readdir(folder)).not.toContain("memory.damaged.sqlite");
  write("new", 1);
  expect(read()).toEqual({ new: 1 });
  expect(warnings.at(-1)).toContain("memory.damaged.sqlite");
  expect(await readdir(folder)).toEqual([".gitignore", "memory.damaged.sqlite", "memory.sqlite"]);
});

it("omits a value whose bytes on disk changed", async () => {
  const { file, write, read } = await openProject();
  write("one", "The text of one");
  write("two", "The text of two");
  await writeFile(file, (await readFile(file, "latin1")).replaceAll("text of one", "text of 0ne"), "latin1");
  expect(read()).toEqual({ two: "The text of two" });
});

it("moves a later version's file aside", async () => {
  const { file, write, read } = await openProject();
  write("one", 1);
  const db = new DatabaseSync(file);
  db.exec("PRAGMA user_version = 2");
  db.close();
  write("two", 2);
  expect(read()).toEqual({ two: 2 });
});

it("can be open in several places at once", async () => {
  const { root, write, read } = await openProject();
  const memory = openMemory(root);
  memory.write([{ topic: "t", name: "one", value: 1 }]);
  write("two", 2);
  expect([...memory.read("t").keys()]).toEqual(["one", "two"]);
  memory.close();
  expect(read()).toEqual({ one: 1, two: 2 });
});

it.skipIf(process.getuid?.() !== 0)("can be read in a read-only folder", async () => {
  const { root, folder, file, write } = await openProject();
  write("one", 1);
  for (const path of [root, folder]) await chmod(path, 0o555);
  await chmod(file, 0o444);
  const module = fileURLToPath(new URL("../../src/memory/memory.ts", import.meta.url));
  const script = `import { withMemory } from ${JSON.stringify(module)};
    process.setuid(65534);
    console.log(withMemory(${JSON.stringify(root)}, { access: "read" }, (memory) => memory.read("t").get("one")));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "1\n", stderr: "" });
});

async function writeFirstEdition(folder: string): Promise<void> {
  const state = join(folder, "state");
  const target = sha256("http://service").slice(0, 16);
  await mkdir(join(folder, "cache"), { recursive: true });
  await mkdir(state);
  await writeFile(
    join(state, `${target}.json`),
    JSON.stringify({
      version: 1,
      siteId: "st_1",
      pages: { index: { hash: "a", sent: "b" }, about: { hash: "c", sent: "d" } },
      assets: { one: { id: "as_1", url: "/1" } },
      sending: { contact: { hash: "e", sent: "f", key: "k" } },
    }),
  );
  const lines = [
    { kind: "ids", blogId: "bl_1" },
    { kind: "page", name: "contact", value: { hash: "e", sent: "f", version: 2 } },
    { kind: "no-page", name: "about" },
    { kind: "uploading", name: "two", value: { key: "k2" } },
    { kind: "refused", name: "three", value: "too large" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(join(state, `${target}.journal`), `${text}{"kind":"page","na`);
  const creation = { target: "k", uid: "u", source: "s", at: "2026-01-01T00:00:00.000Z" };
  const posts = [
    { op: "create", id: "1", slug: "ink", ...creation },
    { op: "create", id: "2", slug: "paper", ...creation },
    { op: "ambiguous", id: "1" },
    { op: "refused", id: "2" },
    { op: "create", id: "3", slug: "press", ...creation },
    { op: "confirmed", id: "3", entry: { file: "press.md", source: "s", state: "confirmed", createdAt: creation.at } },
  ];
  await writeFile(join(folder, "journal.ndjson"), posts.map((line) => `\n${JSON.stringify(line)}\n`).join(""));
  await writeFile(join(folder, "pages.json"), "{}");
  await writeFile(join(folder, "cache", "posts"), "imprint posts 1\n");
}

const MIGRATED = {
  siteId: "st_1",
  blogId: "bl_1",
  pages: { index: { hash: "a", sent: "b" }, contact: { hash: "e", sent: "f", version: 2 } },
  assets: { one: { id: "as_1", url: "/1" } },
  sending: {},
  uploading: { two: { key: "k2" } },
  refused: { three: "too large" },
};

it("migrates the files of the first version, and deletes them", async () => {
  const { root, folder } = await openProject();
  await writeFirstEdition(folder);
  const files = createStateFiles(root, "http://service");
  expect(files.readState()).toEqual(MIGRATED);
  expect(await readdir(folder)).toContain("journal.ndjson");
  files.check();
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([".gitignore", "cache", "memory.sqlite"]);
  expect(files.readState()).toEqual(MIGRATED);
  const creations = [...createPostJournal(root).read()].map(([id, { slug, entry }]) => [id, slug, entry?.file]);
  expect(creations).toEqual([
    ["1", "ink", undefined],
    ["3", "press", "press.md"],
  ]);
});

it("treats damaged files of the first version as empty", async () => {
  const { root, folder } = await openProject();
  await writeFirstEdition(folder);
  for (const name of await readdir(join(folder, "state"))) await writeFile(join(folder, "state", name), "\0\0{");
  await writeFile(join(folder, "journal.ndjson"), '{"op":');
  const files = createStateFiles(root, "http://service");
  files.check();
  expect(files.readState().pages).toEqual({});
  expect(createPostJournal(root).read().size).toBe(0);
});
