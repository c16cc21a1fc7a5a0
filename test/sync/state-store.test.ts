import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createStateFiles } from "../../src/sync/state-store.ts";
import { EMPTY_STATE, type State } from "../../src/sync/state.ts";

async function openProject() {
  const root = await mkdtemp(join(tmpdir(), "imprint-state-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const files = createStateFiles(root, "http://service");
  const open = (state: State = files.readState()) => files.openStore({ state, project: "p", dialect: {} });
  return { root, folder: join(root, ".imprint"), files, open };
}

const PAGE = { hash: "h", sent: "s" };

it("the next run finds what a killed run recorded", async () => {
  const { files, open } = await openProject();
  const store = open();
  store.rememberIds({ siteId: "st_1" });
  store.rememberAsset("hash", { id: "as_1", url: "/as_1" }, new Date(0));
  await store.announcePage("about", PAGE);
  expect(files.readState()).toMatchObject({
    siteId: "st_1",
    assets: { hash: { id: "as_1" } },
    pages: {},
    sending: { about: PAGE },
  });
});

it("keeps what two killed runs recorded", async () => {
  const { files, open } = await openProject();
  for (const slug of ["one", "two"]) {
    const store = open();
    store.rememberPage(slug, { hash: slug, sent: slug });
    await store.save();
  }
  expect(Object.keys(files.readState().pages)).toEqual(["one", "two"]);
});

it("writes state in the background", async () => {
  const { files, open } = await openProject();
  open().rememberPage("about", PAGE);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(files.readState().pages).toEqual({ about: PAGE });
});

it("leaves one file after a successful run", async () => {
  const { files, folder, open } = await openProject();
  const store = open();
  await store.announcePage("about", PAGE);
  store.rememberPage("about", PAGE);
  await store.close();
  expect(await readdir(folder)).toEqual([".gitignore", "memory.sqlite"]);
  expect(files.readState()).toMatchObject({ pages: { about: PAGE }, sending: {} });
});

it("removes outdated entries", async () => {
  const { files, open } = await openProject();
  const store = open();
  store.rememberIds({ library: { count: 1 } });
  store.rememberPage("about", PAGE);
  store.forgetPage("about");
  store.refuse("hash", "too large", "file");
  store.rememberAsset("hash", { id: "as_1", url: "/as_1" }, new Date(0));
  store.rememberIds({ library: undefined });
  await store.close();
  expect(files.readState()).toMatchObject({ pages: {}, refused: {} });
  expect(files.readState().library).toBeUndefined();
  files.remove();
  expect(files.readState()).toEqual(EMPTY_STATE);
});

it("keeps a file's rejection only after the service accepted something else", async () => {
  const { files, open } = await openProject();
  const cut = open();
  cut.refuse("hash", "pay first", "file");
  expect(cut.refused).toEqual({ hash: "pay first" });
  await cut.close();
  expect(files.readState().refused).toEqual({});
  const store = open();
  store.refuse("hash", "too large", "file");
  store.confirmRefusals();
  await store.close();
  expect(files.readState().refused).toEqual({ hash: "too large" });
});

it("keeps the states of two targets separate", async () => {
  const { root, files, open } = await openProject();
  const store = open();
  store.rememberPage("about", PAGE);
  await store.close();
  const other = createStateFiles(root, "http://other");
  expect(other.readState()).toEqual(EMPTY_STATE);
  other.remove();
  expect(files.readState().pages).toEqual({ about: PAGE });
});

it("treats a damaged state file as empty", async () => {
  const { root, folder, open } = await openProject();
  const store = open();
  store.rememberIds({ siteId: "st_1" });
  await store.close();
  await writeFile(join(folder, "memory.sqlite"), "{".repeat(5000));
  const files = createStateFiles(root, "http://service");
  expect(files.readState()).toEqual(EMPTY_STATE);
  files.check();
  expect(await readdir(folder)).toEqual([".gitignore", "memory.damaged.sqlite", "memory.sqlite"]);
});

it("reports a write error to every waiting caller", async () => {
  const { folder, open } = await openProject();
  const store = open();
  await store.save();
  const db = new DatabaseSync(join(folder, "memory.sqlite"));
  db.exec("DROP TABLE note");
  db.close();
  await expect(store.announcePage("about", PAGE)).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
  await expect(store.save()).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
  await expect(store.close()).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
});
