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

describe("an unknown post", () => {
  it("is created if a complete list doesn't contain it", () => {
    expect(states({ posts: [ink] })).toEqual(["ink: create, create"]);
  });

  it.each([
    ["the service counts more than it lists", { listing: { total: 3 } }],
    [
      "the list ends at a common page size and may be incomplete",
      {
        remote: Array.from({ length: 10 }, (_, index) => remoteOf(`other-${index}`)),
        listing: { end: "assumed" as const },
      },
    ],
    ["the list lacks a published post", { ledger: { entries: new Map([["paper", entryOf("paper")]]) } }],
  ])("isn't created if %s", (_, facts) => {
    expect(states({ posts: [ink, localPost("paper")], known: knownOf(facts) })[0]).toBe("ink: blocked, blocked");
  });

  it.each([
    { newPostOver: "title", fields: { title: "Ink" }, expected: "blocked, foreign" },
    { newPostOver: "title", fields: { slug: "inkwell" }, expected: "create, create" },
    { newPostOver: "slug", fields: { slug: "in" }, expected: "blocked, foreign" },
    { newPostOver: "slug", fields: { slug: "inkwell", title: "Ink" }, expected: "create, create" },
    { newPostOver: "any", fields: {}, expected: "blocked, resembles" },
  ] as const)(
    "is $expected where new posts are written over others ($newPostOver)",
    ({ fields, expected, ...learned }) => {
      const remote = [remoteOf("paper", fields)];
      const ledger = { entries: new Map([["paper", entryOf("paper")]]), learned };
      const posts = [ink, localPost("paper")];
      expect(states({ posts, known: knownOf({ remote, ledger }) })[0]).toBe(`ink: ${expected}`);
      const newPosts = new Set(["ink"]);
      const declared = states({ posts, known: knownOf({ remote, ledger: { ...ledger, newPosts } }) })[0];
      expect(declared).toBe(`ink: ${learned.newPostOver === "any" ? "create, create" : expected}`);
    },
  );

  it("is matched to a post with the same slug and title", () => {
    const known = knownOf({ remote: [remoteOf("ink", { title: " Ink " })] });
    expect(states({ posts: [ink], known })).toEqual(["ink: keep, adopt"]);
  });

  it("is never matched to a post that only has the same title", () => {
    const remote = [remoteOf("other", { title: "ink" }), remoteOf("paper")];
    const ledger = { entries: new Map([["paper", entryOf("paper")]]) };
    const posts = [ink, localPost("paper")];
    expect(states({ posts, known: knownOf({ remote, ledger }) })[0]).toBe("ink: create, create");
  });

  it("is on hold beside a post with its title if there is no state for the blog", () => {
    const known = knownOf({ remote: [remoteOf("other", { title: "ink" })] });
    expect(states({ posts: [ink], known })).toEqual(["ink: blocked, resembles"]);
  });

  it("is on hold beside a post of another branch, which is named by its title and not by its id", () => {
    const other = entryOf("pens", { file: "" });
    const known = knownOf({
      remote: [remoteOf("pens", { slug: undefined, title: "ink" })],
      ledger: { entries: new Map([["po_pens", other]]) },
    });
    const [change] = plan({ posts: [ink], known });
    expect(change).toMatchObject({
      state: "resembles",
      reason: 'it may be the published post "ink": it has the same title',
    });
  });

  const DAY = new Date("2026-02-01T09:00:00Z");
  const poster = localPost("poster", { title: "One poster, printed", publishedAt: DAY, html: '<p>It\'s "one".</p>' });

  it.each([
    ["its slug after a date, and its day", { slug: "2026-02-01-poster", publishedAt: DAY }, "blocked, resembles"],
    ["the beginning of its title, and its day", { title: "One poster, pri", publishedAt: DAY }, "blocked, resembles"],
    [
      "its slug before a number, and its title",
      { slug: "poster-7", title: "One “poster, printed" },
      "blocked, resembles",
    ],
    ["only its slug after a date", { slug: "2026-01-31-poster" }, "create, create"],
    ["its slug after a word, and its day", { slug: "big-poster", publishedAt: DAY }, "create, create"],
    ["only the beginning of its title", { title: "One poster, pri" }, "create, create"],
    ["two words of its title, and its day", { title: "One", publishedAt: DAY }, "create, create"],
    ["only its day", { publishedAt: DAY }, "create, create"],
  ])("beside a post with %s, if there is no state for the blog, is planned as expected", (_, fields, expected) => {
    const known = knownOf({ remote: [remoteOf("other", fields)] });
    expect(states({ posts: [poster], known })).toEqual([`poster: ${expected}`]);
  });

  it("isn't sent if its slug belongs to another post", () => {
    const known = knownOf({ remote: [remoteOf("ink", { title: "Printer's ink, reviewed" })] });
    expect(states({ posts: [ink], known })).toEqual(["ink: blocked, foreign"]);
  });

  it("is recognized by its marker, whatever slug and title the service shows", () => {
    const record = remoteOf("ink-1", { title: "Renamed in the dashboard", html: markerHtml("ink") });
    expect(states({ posts: [ink], known: knownOf({ remote: [record] }) })).toEqual(["ink: keep, unchanged"]);
  });

  it("is reported as edited if its marker has another source hash", () => {
    const known = knownOf({ remote: [remoteOf("ink", { html: markerHtml("ink") })] });
    expect(states({ posts: [EDITED], known })).toEqual(["ink: blocked, edited"]);
  });

  it("isn't sent if the marker under its slug belongs to another collection", () => {
    const html = markerHtml("ink", { collection: "news", source: "f".repeat(64) });
    expect(states({ posts: [ink], known: knownOf({ remote: [remoteOf("ink", { html })] }) })).toEqual([
      "ink: blocked, foreign",
    ]);
  });

  it("is recognized by its canonical URL if nothing else matches", () => {
    const canonicalUrl = "https://example.org/ink/";
    const known = knownOf({ remote: [remoteOf("x9f", { title: "ink", canonicalUrl })] });
    expect(states({ posts: [localPost("ink", { canonicalUrl })], known })).toEqual(["ink: keep, adopt"]);
  });

  it("isn't matched to the post of another file with the same canonical URL", () => {
    const canonicalUrl = "https://example.org/ink/";
    const known = knownOf({ remote: [remoteOf("ink", { title: "ink", canonicalUrl })], ledger: remembered });
    const posts = [localPost("ink", { canonicalUrl }), localPost("ink-2", { title: "ink", canonicalUrl })];
    expect(states({ posts, known })).toEqual(["ink: keep, unchanged", "ink-2: create, create"]);
  });
});

describe("a published post", () => {
  it("is kept if nothing changed", () => {
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ posts: [ink], known })).toEqual(["ink: keep, unchanged"]);
  });

  it("isn't reported as edited if only its rendering changed", () => {
    const entries = new Map([["ink", entryOf("ink", { sent: "0123456789abcdef" })]]);
    const [change] = plan({ posts: [ink], known: knownOf({ remote: [remoteOf("ink")], ledger: { entries } }) });
    expect(change).toMatchObject({ state: "unchanged", reason: expect.stringContaining("rendered HTML would differ") });
  });

  it("is reported if it was edited, and updated if the service supports it", () => {
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ posts: [EDITED], known })).toEqual(["ink: blocked, edited"]);
    expect(states({ posts: [EDITED], known, operations: ["posts.patch"] })).toEqual(["ink: update, edited"]);
  });

  it("isn't overwritten if it also changed on the service", () => {
    const entries = new Map([["ink", entryOf("ink", { contentHash: "1" })]]);
    const known = knownOf({ remote: [remoteOf("ink", { contentHash: "2" })], ledger: { entries } });
    expect(states({ posts: [EDITED], known, operations: ["posts.patch"] })).toEqual(["ink: blocked, edited"]);
  });

  it("keeps its address if its file is renamed", () => {
    const moved = localPost("on-ink", { sourceHash: ink.sourceHash });
    const [change] = plan({ posts: [moved], known: knownOf({ remote: [remoteOf("ink")], ledger: remembered }) });
    expect(change).toMatchObject({ kind: "keep", state: "renamed", formerSlug: "ink", entry: { remoteSlug: "ink" } });
  });

  it("isn't moved if its slug changes in the file", () => {
    const moved = localPost("on-ink", { file: ink.file });
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ posts: [moved], known })).toEqual(["on-ink: blocked, slug-changed"]);
  });

  it("isn't created again if it was deleted on the service", () => {
    const known = knownOf({ ledger: remembered, gone: ["ink"] });
    expect(states({ posts: [ink], known })).toEqual(["ink: blocked, deleted-remotely"]);
  });

  it("is kept while the list is out of date", () => {
    const entries = new Map([["ink", entryOf("ink", { createdAt: new Date(NOW.getTime() - 5000).toISOString() })]]);
    expect(states({ posts: [ink], known: knownOf({ ledger: { entries } }) })).toEqual(["ink: keep, unchanged"]);
  });

  it("is reported with every address if the blog has it twice", () => {
    const known = knownOf({ remote: [remoteOf("ink"), remoteOf("ink", { id: "po_2" })], ledger: remembered });
    const [change] = plan({ posts: [ink], known });
    expect(change).toMatchObject({
      state: "duplicate",
      places: ["https://blog.example/ink (po_ink)", "https://blog.example/ink (po_2)"],
    });
  });

  it("is reported if its file is gone, and deleted only on request and if supported", () => {
    const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
    expect(states({ known })).toEqual(["ink: orphan, orphan"]);
    expect(states({ known, prune: true })).toEqual(["ink: orphan, orphan"]);
    expect(states({ known, operations: ["posts.delete"] })).toEqual(["ink: orphan, orphan"]);
    expect(states({ known, operations: ["posts.delete"], prune: true })).toEqual(["ink: delete, orphan"]);
  });

  it("isn't left over if its file exists and can't be read", () => {
    const held: HeldFile[] = [{ file: ink.file, slug: undefined, reason: "invalid" }];
    expect(states({ held, known: knownOf({ remote: [remoteOf("ink")], ledger: remembered }) })).toEqual([]);
  });

  it("waits for a build that it needs, and is unchanged if its source is that of the blog", () => {
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
    "is reported if its file is %s, and unpublished if supported",
    (reason) => {
      const held: HeldFile[] = [{ file: ink.file, slug: "ink", reason }];
      const known = knownOf({ remote: [remoteOf("ink")], ledger: remembered });
      expect(states({ held, known })).toEqual(["ink: blocked, cannot-unpublish"]);
      expect(states({ held, known, operations: ["posts.patch"] })).toEqual(["ink: update, withdrawn"]);
    },
  );
});

describe("a post whose run was interrupted while sending it", () => {
  const intent = { id: "1", slug: "ink", uid: "", source: ink.sourceHash };

  it.each([
    ["isn't sent again at once", { minutes: 1, listLagMs: undefined }, "ink: blocked, unresolved"],
    ["is sent again after a while", { minutes: 11, listLagMs: undefined }, "ink: create, create"],
    ["is sent again sooner if the list is known to be quick", { minutes: 2, listLagMs: 0 }, "ink: create, create"],
    ["waits for a list that is known to be late", { minutes: 5, listLagMs: 120_000 }, "ink: blocked, unresolved"],
  ])("%s", (_, { minutes, listLagMs }, expected) => {
    const open = new Map([["ink", { ...intent, at: new Date(NOW.getTime() - minutes * 60_000) }]]);
    const learned = listLagMs === undefined ? {} : { listLagMs };
    expect(states({ posts: [ink], known: knownOf({ ledger: { open, learned } }) })).toEqual([expected]);
  });
});

it("a plan creates nothing that the list contains by slug or marker", () => {
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
