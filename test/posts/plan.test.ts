import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import type { OperationName } from "../../src/contract/operations.ts";
import type { SitePost } from "../../src/posts/post.ts";
import type { HeldFile } from "../../src/posts/plan/changes.ts";
import type { KnownPosts } from "../../src/posts/identity/known-posts.ts";
import { planPosts } from "../../src/posts/plan/plan.ts";
import { COLLECTION, entryOf, knownOf, localPost, markerHtml, NOW, remoteOf } from "./local-post.ts";

interface Situation {
  readonly posts?: readonly SitePost[];
  readonly held?: readonly HeldFile[];
  readonly known?: KnownPosts;
  readonly operations?: readonly OperationName[];
  readonly prune?: boolean;
}

function plan({ posts = [], held = [], known = knownOf({}), operations = [], prune = false }: Situation) {
  const rules = { capabilities: { operations: new Set(operations) }, prune };
  return planPosts({ posts, held, collection: COLLECTION, project: PROJECT }, known, rules);
}

function states(situation: Situation): readonly string[] {
  return plan(situation).map(({ name, kind, state }) => `${name}: ${kind}, ${state}`);
}

const PROJECT = "k3v9x2ab";
const ink = localPost("ink");
const remembered = { entries: new Map([["ink", entryOf("ink")]]) };
const EDITED = localPost("ink", { sourceHash: "e".repeat(64) });

describe("a post that nobody remembers", () => {
  it("is created when a whole list does not have it", () => {
    expect(states({ posts: [ink] })).toEqual(["ink: create, create"]);
  });

  it.each([
    ["the service counts more than it lists", { listing: { total: 3 } }],
    [
      "the list ends where services cut theirs and does not say that it is whole",
      {
        remote: Array.from({ length: 10 }, (_, index) => remoteOf(`other-${index}`)),
        listing: { end: "assumed" as const },
      },
    ],
    ["the list lacks a post that was published", { ledger: { entries: new Map([["paper", entryOf("paper")]]) } }],
  ])("is not created when %s", (_, facts) => {
    expect(states({ posts: [ink, localPost("paper")], known: knownOf(facts) })[0]).toBe("ink: blocked, blocked");
  });

  it("is taken for the post of the same slug and title", () => {
    const known = knownOf({ remote: [remoteOf("ink", { title: " Ink " })] });
    expect(states({ posts: [ink], known })).toEqual(["ink: keep, adopt"]);
  });

  it("is never taken for a post that only has the same title", () => {
    const remote = [remoteOf("other", { title: "ink" }), remoteOf("paper")];
    const ledger = { entries: new Map([["paper", entryOf("paper")]]) };
    const posts = [ink, localPost("paper")];
    expect(states({ posts, known: knownOf({ remote, ledger }) })[0]).toBe("ink: create, create");
  });

  it("is on hold beside a post of its title when nothing of the blog is remembered", () => {
    const known = knownOf({ remote: [remoteOf("other", { title: "ink" })] });
    expect(states({ posts: [ink], known })).toEqual(["ink: blocked, resembles"]);
  });

  it("is not sent when its slug belongs to another post", () => {
    const known = knownOf({ remote: [remoteOf("ink", { title: "Printer's ink, reviewed" })] });
    expect(states({ posts: [ink], known })).toEqual(["ink: blocked, foreign"]);
  });

  it("is recognised by its marker, whatever slug and title the service shows", () => {
    const record = remoteOf("ink-1", { title: "Renamed in the dashboard", html: markerHtml("ink") });
    expect(states({ posts: [ink], known: knownOf({ remote: [record] }) })).toEqual(["ink: keep, unchanged"]);
  });

  it("is told as edited when its marker names another source", () => {
    const known = knownOf({ remote: [remoteOf("ink", { html: markerHtml("ink") })] });
    expect(states({ posts: [EDITED], known })).toEqual(["ink: blocked, edited"]);
  });

  it("is not sent when the marker under its slug is another collection's", () => {
    const html = markerHtml("ink", { collection: "news", source: "f".repeat(64) });
    expect(states({ posts: [ink], known: knownOf({ remote: [remoteOf("ink", { html })] }) })).toEqual([
      "ink: blocked, foreign",
    ]);
  });

  it("is recognised by its canonical address when nothing else matches", () => {
    const canonicalUrl = "https://example.org/ink/";
    const known = knownOf({ remote: [remoteOf("x9f", { title: "ink", canonicalUrl })] });
    expect(states({ posts: [localPost("ink", { canonicalUrl })], known })).toEqual(["ink: keep, adopt"]);
  });

  it("is not taken for the post of another file that has the same canonical address", () => {
    const canonicalUrl = "https://example.org/ink/";
    const known = knownOf({ remote: [remoteOf("ink", { title: "ink", canonicalUrl })], ledger: remembered });
    const posts = [localPost("ink", { canonicalUrl }), localPost("ink-2", { title: "ink", canonicalUrl })];
    expect(states({ posts, known })).toEqual(["ink: keep, unchanged", "ink-2: create, create"]);
  });
});

describe("a post that was published", () => {
  it("is kept when nothing changed", () => {
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ posts: [ink], known })).toEqual(["ink: keep, unchanged"]);
  });

  it("is not called edited when only its rendering changed", () => {
    const entries = new Map([["ink", entryOf("ink", { sent: "0123456789abcdef" })]]);
    const [change] = plan({ posts: [ink], known: knownOf({ remote: [remoteOf("ink")], ledger: { entries } }) });
    expect(change).toMatchObject({ state: "unchanged", reason: expect.stringContaining("rendered differently") });
  });

  it("is told when it was edited, and updated where the service can do that", () => {
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ posts: [EDITED], known })).toEqual(["ink: blocked, edited"]);
    expect(states({ posts: [EDITED], known, operations: ["posts.patch"] })).toEqual(["ink: update, edited"]);
  });

  it("is not overwritten when it was changed at the service too", () => {
    const entries = new Map([["ink", entryOf("ink", { contentHash: "1" })]]);
    const known = knownOf({ remote: [remoteOf("ink", { contentHash: "2" })], ledger: { entries } });
    expect(states({ posts: [EDITED], known, operations: ["posts.patch"] })).toEqual(["ink: blocked, edited"]);
  });

  it("keeps its address when its file is renamed", () => {
    const moved = localPost("on-ink", { sourceHash: ink.sourceHash });
    const [change] = plan({ posts: [moved], known: knownOf({ remote: [remoteOf("ink")], ledger: remembered }) });
    expect(change).toMatchObject({ kind: "keep", state: "renamed", formerSlug: "ink", entry: { remoteSlug: "ink" } });
  });

  it("is not moved when its slug is changed in the file", () => {
    const moved = localPost("on-ink", { file: ink.file });
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ posts: [moved], known })).toEqual(["on-ink: blocked, slug-changed"]);
  });

  it("is not created again when it was removed at the service", () => {
    const known = knownOf({ ledger: remembered, gone: ["ink"] });
    expect(states({ posts: [ink], known })).toEqual(["ink: blocked, deleted-remotely"]);
  });

  it("is kept while the list is late", () => {
    const entries = new Map([["ink", entryOf("ink", { createdAt: new Date(NOW.getTime() - 5000).toISOString() })]]);
    expect(states({ posts: [ink], known: knownOf({ ledger: { entries } }) })).toEqual(["ink: keep, unchanged"]);
  });

  it("is told with every address when the blog has it twice", () => {
    const known = knownOf({ remote: [remoteOf("ink"), remoteOf("ink", { id: "po_2" })], ledger: remembered });
    const [change] = plan({ posts: [ink], known });
    expect(change).toMatchObject({
      state: "duplicate",
      places: ["https://blog.example/ink (po_ink)", "https://blog.example/ink (po_2)"],
    });
  });

  it("is told when its file is gone, and deleted only when that is asked for and possible", () => {
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ known })).toEqual(["ink: orphan, orphan"]);
    expect(states({ known, prune: true })).toEqual(["ink: orphan, orphan"]);
    expect(states({ known, operations: ["posts.delete"] })).toEqual(["ink: orphan, orphan"]);
    expect(states({ known, operations: ["posts.delete"], prune: true })).toEqual(["ink: delete, orphan"]);
  });

  it("is no orphan when its file is there and can't be read", () => {
    const held: HeldFile[] = [{ file: ink.file, slug: undefined, reason: "invalid" }];
    expect(states({ held, known: knownOf({ remote: [remoteOf("ink")], ledger: remembered }) })).toEqual([]);
  });

  it("waits for a build where only that can render it, and is unchanged when its source is that of the blog", () => {
    const [known, waiting] = [knownOf({ remote: [remoteOf("ink")], ledger: remembered }), "needs-build" as const];
    const file: HeldFile = { file: ink.file, slug: "ink", reason: waiting, sourceHash: ink.sourceHash };
    const every = { known, operations: ["posts.delete", "posts.patch"], prune: true } as const;
    expect(states({ held: [file], ...every })).toEqual(["ink: keep, unchanged"]);
    expect(states({ held: [{ ...file, sourceHash: EDITED.sourceHash }], ...every })).toEqual([
      "ink: wait, needs-build",
    ]);
    expect(states({ held: [{ ...file, sourceHash: undefined }], ...every })).toEqual(["ink: wait, needs-build"]);
    expect(states({ held: [file] })).toEqual(["ink: wait, needs-build"]);
    const renamed = { ...file, file: "posts/our-ink.mdx", slug: "our-ink" };
    expect(states({ held: [renamed], ...every })).toEqual(["our-ink: wait, needs-build"]);
    const edited = { ...renamed, sourceHash: EDITED.sourceHash };
    expect(states({ held: [edited], ...every })).toEqual(["our-ink: wait, needs-build", "ink: orphan, orphan"]);
  });

  it.each(["draft", "scheduled", "expired"] as const)(
    "is told when its file is %s, and withdrawn where possible",
    (reason) => {
      const held: HeldFile[] = [{ file: ink.file, slug: "ink", reason }];
      const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
      expect(states({ held, known })).toEqual(["ink: blocked, cannot-unpublish"]);
      expect(states({ held, known, operations: ["posts.patch"] })).toEqual(["ink: update, withdrawn"]);
    },
  );
});

describe("a post that a run was sending when it was cut off", () => {
  const intent = { id: "1", slug: "ink", uid: "", source: ink.sourceHash };

  it.each([
    ["is not sent again at once", { minutes: 1, listLagMs: undefined }, "ink: blocked, unresolved"],
    ["is sent again after a while", { minutes: 11, listLagMs: undefined }, "ink: create, create"],
    ["is sent again sooner where the list is known to be quick", { minutes: 2, listLagMs: 0 }, "ink: create, create"],
    ["waits for a list that is known to be late", { minutes: 5, listLagMs: 120_000 }, "ink: blocked, unresolved"],
  ])("%s", (_, { minutes, listLagMs }, expected) => {
    const open = new Map([["ink", { ...intent, at: new Date(NOW.getTime() - minutes * 60_000) }]]);
    const learned = listLagMs === undefined ? {} : { listLagMs };
    expect(states({ posts: [ink], known: knownOf({ ledger: { open, learned } }) })).toEqual([expected]);
  });
});

it("a plan creates nothing that the list shows by slug or marker, whatever else is there", () => {
  const slug = fc.constantFrom<string>("a", "b", "c", "d");
  const record = fc.record({
    id: fc.constantFrom("1", "2", "3", "4", "5"),
    slug,
    title: fc.constantFrom("a", "b", "x"),
    html: fc.option(
      slug.map((name) => markerHtml(name)),
      { nil: undefined },
    ),
  });
  fc.assert(
    fc.property(fc.uniqueArray(slug), fc.uniqueArray(record, { selector: ({ id }) => id }), (slugs, remote) => {
      const changes = plan({ posts: slugs.map((name) => localPost(name)), known: knownOf({ remote }) });
      const created = changes.filter(({ kind }) => kind === "create").map(({ name }) => name);
      const shown = new Set(remote.map((post) => post.slug));
      const marked = slugs.filter((name) => remote.some(({ html }) => html === markerHtml(name)));
      expect(created.filter((name) => shown.has(name) || marked.includes(name))).toEqual([]);
    }),
  );
});
