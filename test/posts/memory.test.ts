import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withMemory } from "../../src/memory/memory.ts";
import { createPostJournal } from "../../src/posts/memory/journal.ts";
import { recordRenamed } from "../../src/posts/apply/record-renamed.ts";
import { openPostRepository } from "../../src/posts/memory/repository.ts";
import { findPostMarker, withPostMarker } from "../../src/posts/identity/marker.ts";
import { createStateFiles } from "../../src/sync/state-store.ts";
import { entryOf, NOW } from "./local-post.ts";

async function openMemory() {
  const root = await mkdtemp(join(tmpdir(), "imprint-posts-memory-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const store = {
    target: "t",
    lock: createStateFiles(root, "t"),
    journal: createPostJournal(root),
    newId: () => randomUUID(),
  };
  return { root, store, open: (blog = "bl_1") => openPostRepository(store, blog) };
}

const INTENT = { slug: "ink", uid: "0".repeat(16), source: "f".repeat(64), at: NOW };

describe("the state of posts", () => {
  it("records, after a crash, that a post may have been sent", async () => {
    const { open } = await openMemory();
    await (await open()).intend(INTENT);
    expect([...(await open()).ledger.open.keys()]).toEqual(["ink"]);
  });

  it("includes a confirmation that didn't reach the lock file", async () => {
    const { open, store } = await openMemory();
    const id = await (await open()).intend(INTENT);
    await store.journal.confirm(id, entryOf("ink"));
    const memory = await open();
    expect(memory.ledger.entries.get("ink")?.id).toBe("po_ink");
    expect(memory.ledger.open.size).toBe(0);
    await memory.compact();
    expect((await open()).ledger.entries.get("ink")?.id).toBe("po_ink");
    expect([...store.journal.read()]).toEqual([]);
  });

  it("skips a damaged entry of a creation, and reads those after it", async () => {
    const { root, open } = await openMemory();
    await (await open()).intend(INTENT);
    const damaged = { topic: "posts/creations", name: "ha", value: { slug: "ha" } };
    withMemory(root, {}, (memory) => memory.write([damaged]));
    await (await open()).intend({ ...INTENT, slug: "paper" });
    expect([...(await open()).ledger.open.keys()]).toEqual(["ink", "paper"]);
  });

  it("keeps the entries of two posts that swapped names, where the host shows neither ids nor addresses", async () => {
    const memory = await (await openMemory()).open();
    const fields = { id: undefined, url: undefined };
    const [ink, paper] = [entryOf("ink", fields), entryOf("paper", fields)];
    await memory.record(new Map(Object.entries({ ink, paper })));
    const swapped = { ink: { ...paper, remoteSlug: "paper" }, paper: { ...ink, remoteSlug: "ink" } };
    await recordRenamed(memory, ["paper", swapped.paper], "ink");
    await recordRenamed(memory, ["ink", swapped.ink], "paper");
    expect(Object.fromEntries(memory.ledger.entries)).toEqual(swapped);
    await recordRenamed(memory, ["quill", swapped.paper], "paper");
    expect([...memory.ledger.entries.keys()].toSorted()).toEqual(["ink", "quill"]);
  });

  it.each(["refused", "not-sent", "absent"] as const)("removes a creation that was %s", async (result) => {
    const { open } = await openMemory();
    const memory = await open();
    await memory.settle(await memory.intend(INTENT), result);
    expect((await open()).ledger.open.size).toBe(0);
  });

  it("keeps unresolved creations through a compaction, for every blog", async () => {
    const { open } = await openMemory();
    const memory = await open("bl_other");
    await memory.settle(await memory.intend(INTENT), "ambiguous");
    await (await open("bl_1")).compact();
    expect((await open("bl_other")).ledger.open.size).toBe(1);
    expect((await open("bl_1")).ledger.open.size).toBe(0);
  });

  it("doesn't change the slugs in the lock file, and writes it sorted", async () => {
    const { root, open, store } = await openMemory();
    await store.lock.writeLock({ version: 2, slugs: { "/": "index" } });
    const memory = await open();
    await memory.record(
      new Map([
        ["paper", entryOf("paper")],
        ["ink", entryOf("ink")],
      ]),
    );
    const lock = JSON.parse(await readFile(join(root, "imprint.lock.json"), "utf8"));
    expect(lock.slugs).toEqual({ "/": "index" });
    const [blog]: readonly { posts: object }[] = Object.values(lock.posts);
    expect(Object.keys(blog?.posts ?? {})).toEqual(["ink", "paper"]);
  });
});

it("a marker is recognized with other quotes and attributes, and replaces one in the author's text", () => {
  const marker = { uid: "a".repeat(16), source: "b".repeat(12), project: "k3v9x2ab" };
  const html = withPostMarker(`<p>Ink</p>${withPostMarker("", { ...marker, uid: "c".repeat(16) })}`, marker);
  expect(html.match(/data-imprint-post/g)).toHaveLength(1);
  expect(
    findPostMarker(html.replace("hidden ", 'hidden="" class="x" ').replaceAll('"v2', "'v2").replace('bb"', "bb'")),
  ).toEqual(marker);
});
