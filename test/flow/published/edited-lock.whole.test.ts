import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../../src/service.ts";
import { issueKey } from "../../../src/service/resources/keys.ts";
import { createRandomBytes } from "../../../src/service/resources/context.ts";
import { insertRow } from "../../../src/service/store/rows.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import { temporaryFolder } from "../../service/temporary-folder.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, openAtService, openProject, send, writesOf } from "./project.ts";

const STRICT = { strict: true };
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };

async function lockOf(root: string) {
  return JSON.parse(await readFile(join(root, "imprint.lock.json"), "utf8"));
}

describe("an edited lock file", () => {
  it("causes an error that names the invalid field, and nothing is sent", async () => {
    const { service, root, run, write } = await openAtService("a");
    await run("publish");
    const lock = await lockOf(root);
    await write("imprint.lock.json", JSON.stringify({ ...lock, slugs: { ...lock.slugs, "/about/": 7 } }));
    const since = new Date();
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toContain("STATE_UNREADABLE");
    expect(said).toContain("imprint.lock.json isn't a valid lock file: slugs./about/:");
    expect(writesOf(service, since)).toEqual([]);
  });

  it("that is a folder causes an error that doesn't suggest deleting it", async () => {
    const { run, write } = await openAtService("a");
    await write("imprint.lock.json/notes.md", "Ours");
    const { code, said } = await run("publish");
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining("imprint.lock.json is a folder.") });
    expect(said).toContain("Move or rename the folder");
    expect(said).not.toContain("delete");
  });

  it("with an invalid project id causes an error that names `project`", async () => {
    const { root, run, write } = await openAtService("a");
    await run("publish");
    await write("imprint.lock.json", JSON.stringify({ ...(await lockOf(root)), project: "Our Site!" }));
    expect(await run("publish")).toMatchObject({
      code: 1,
      said: expect.stringContaining("project: must be 4 to 32 lower-case letters and digits"),
    });
  });

  it("with unknown ids publishes what is missing, without duplicates", async () => {
    const { service, root, run, write, loseState } = await openAtService("a", { posts: {} });
    await run("publish");
    await loseState();
    const text = JSON.stringify(await lockOf(root));
    await write("imprint.lock.json", text.replaceAll(/"(st|bl|pg)_\w+"/g, '"$1_0000000000000000000000"'));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await send(addressOf(service, "a"), ["GET", "/api/blogs"])).toMatchObject({ data: [{ slug: "blog" }] });
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });

  it("with git's conflict markers causes an error, and nothing is sent", async () => {
    const { service, root, run, write } = await openAtService("a");
    await run("publish");
    const text = await readFile(join(root, "imprint.lock.json"), "utf8");
    const conflict = `<<<<<<< HEAD\n  "version": 2,\n=======\n  "version": 2,\n>>>>>>> theirs`;
    await write("imprint.lock.json", text.replace('  "version": 2,', conflict));
    const since = new Date();
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toContain("STATE_UNREADABLE");
    expect(said).toContain("If it has merge conflicts");
    expect(writesOf(service, since)).toEqual([]);
  });

  it("merged by git from two branches that each published a page keeps both, without duplicates", async () => {
    const { service, root, run, write, remove, loseState } = await openAtService("a", { service: STRICT });
    await run("publish", "--accept");
    const base = await readFile(join(root, "imprint.lock.json"), "utf8");
    await write("dist/ours/index.html", htmlPage("Ours", "<h1>Ours</h1>"));
    await run("publish");
    const ours = await lockOf(root);
    await write("imprint.lock.json", base);
    await loseState();
    await remove("dist/ours");
    await write("dist/theirs/index.html", htmlPage("Theirs", "<h1>Theirs</h1>"));
    await run("publish");
    const theirs = await lockOf(root);

    const [[name, target]] = Object.entries<{ pages: object }>(ours.targets) as [[string, { pages: object }]];
    const pages = { ...target.pages, ...theirs.targets[name].pages };
    const merged = { ...ours, slugs: { ...ours.slugs, ...theirs.slugs }, targets: { [name]: { ...target, pages } } };
    await write("imprint.lock.json", JSON.stringify(merged));
    await write("dist/ours/index.html", htmlPage("Ours", "<h1>Ours</h1>"));
    await loseState();
    const since = new Date();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesOf(service, since)).toEqual([]);
  });
});

/** One service with two accounts, and the key of each. */
async function openTwoAccounts(options: { readonly strict: boolean }) {
  const dataDir = join(await temporaryFolder(), "data");
  const start = () => startService({ dataDir, port: 0, pagesPort: 0, dev: true, ...options });
  // The first start creates the service's own account.
  await (await start()).close();
  const now = new Date();
  const store = await openStore({ dataDir, now });
  const account = { id: "acc_other", name: "Other", createdAt: now };
  await store.database.insertInto("account").values(account).execute();
  const random = createRandomBytes();
  const key = issueKey({ accountId: account.id, name: "other", scopes: null, now, random });
  await insertRow(store.database, "apiKey", key.record);
  await store.close();
  const service = await start();
  onTestFinished(() => service.close());
  return { service, own: service.apiKey, other: key.text };
}

describe.each([false, true])("a lock file of another account on the same service, strict: %s", (strict) => {
  it("publishes everything to this account, and nothing in the other one changes", async () => {
    const { service, own, other } = await openTwoAccounts({ strict });
    const options = { pagesUrl: service.pagesUrl };
    const first = await openProject({ baseUrl: service.baseUrl("a"), apiKey: own }, options);
    expect(await first.run("publish")).toMatchObject({ code: 0 });
    const before = await send({ baseUrl: service.baseUrl("a"), apiKey: own }, ["GET", "/api/pages"]);

    const moved = await openProject({ baseUrl: service.baseUrl("a"), apiKey: other }, options);
    await moved.write("imprint.lock.json", JSON.stringify(await lockOf(first.root)));
    expect(await moved.run("publish")).toMatchObject({
      // Readers get files only of the service's own account, which a release doesn't use.
      code: strict ? 1 : 0,
      said: expect.stringMatching(strict ? /pages 3 published.*readers can't load files/ : /pages 3 published/),
    });
    expect(await send({ baseUrl: service.baseUrl("a"), apiKey: other }, ["GET", "/api/pages"])).toMatchObject({
      data: expect.toSatisfy((pages) => pages.length === 3),
    });
    expect(await send({ baseUrl: service.baseUrl("a"), apiKey: own }, ["GET", "/api/pages"])).toEqual(before);
    expect(await moved.run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(await first.run("publish")).toMatchObject(NOTHING_CHANGED);
  });
});
