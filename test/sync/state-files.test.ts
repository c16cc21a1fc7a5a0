import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createStateFiles } from "../../src/sync/state-files.ts";
import { createJournal } from "../../src/sync/state-journal.ts";
import { createStateKeeper } from "../../src/sync/state-keeper.ts";
import { EMPTY_STATE, renderEntry } from "../../src/sync/state.ts";

async function openProject() {
  const root = await mkdtemp(join(tmpdir(), "imprint-state-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { root, folder: join(root, ".imprint", "state"), files: createStateFiles(root, "http://service") };
}

it("finds in the next run what a killed run had written down", async () => {
  const { files } = await openProject();
  const keeper = createStateKeeper(EMPTY_STATE, await files.openJournal(EMPTY_STATE));
  keeper.rememberIds({ siteId: "st_1" });
  keeper.rememberAsset("hash", { id: "as_1", url: "/as_1" });
  await keeper.announcePage("about", { hash: "h", sent: "s" });
  expect(await files.readState()).toMatchObject({
    siteId: "st_1",
    assets: { hash: { id: "as_1" } },
    pages: {},
    sending: { about: { hash: "h", sent: "s" } },
  });
});

it("keeps what two runs that were both killed had written down", async () => {
  const { files } = await openProject();
  for (const slug of ["one", "two"]) {
    const state = await files.readState();
    const keeper = createStateKeeper(state, await files.openJournal(state));
    keeper.rememberPage(slug, { hash: slug, sent: slug });
    await keeper.save();
  }
  expect(Object.keys((await files.readState()).pages)).toEqual(["one", "two"]);
});

it("leaves one file behind a run that ended well, and none behind one that learned nothing", async () => {
  const { files, folder } = await openProject();
  await (await files.openJournal(EMPTY_STATE)).close();
  expect(await readdir(folder)).toEqual([]);
  const journal = await files.openJournal(EMPTY_STATE);
  const keeper = createStateKeeper(EMPTY_STATE, journal);
  await keeper.announcePage("about", { hash: "h", sent: "s" });
  keeper.rememberPage("about", { hash: "h", sent: "s" });
  await journal.close();
  expect((await readdir(folder)).map((name) => name.replace(/^\w+/, ""))).toEqual([".json"]);
  expect(await files.readState()).toMatchObject({ pages: { about: { hash: "h" } }, sending: {} });
});

it("leaves out a line that was cut off, and what stands behind it", async () => {
  const { files, folder } = await openProject();
  const journal = await files.openJournal(EMPTY_STATE);
  createStateKeeper(EMPTY_STATE, journal).rememberPage("whole", { hash: "h", sent: "s" });
  await journal.flush();
  const [name = ""] = await readdir(folder);
  const line = renderEntry({ kind: "page", name: "behind", value: { hash: "h", sent: "s" } });
  await appendFile(join(folder, name), `{"kind":"page","na\n${line}`);
  expect(Object.keys((await files.readState()).pages)).toEqual(["whole"]);
});

it("counts a damaged state file as none", async () => {
  const { files, folder } = await openProject();
  const journal = await files.openJournal(EMPTY_STATE);
  createStateKeeper(EMPTY_STATE, journal).rememberIds({ siteId: "st_1" });
  await journal.close();
  const [name = ""] = await readdir(folder);
  const text = await readFile(join(folder, name), "utf8");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text.slice(0, -5));
  expect(await files.readState()).toEqual(EMPTY_STATE);
});

it("says that the disk is full to everyone who waits, and writes nothing after it", async () => {
  const journal = await createJournal("/dev/full");
  journal.add("one\n");
  await expect(journal.flush()).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
  journal.add("two\n");
  await expect(journal.sync()).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
  await expect(journal.close()).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
});
