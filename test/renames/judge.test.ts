// Tests of the judge itself: a harness that finds nothing is only as good as its judge.

import { expect, it } from "vitest";
import { answerHolds } from "./answer-holds.ts";
import type { Post, Tree } from "./desk.ts";
import type { HostPost } from "./hosts.ts";
import { judge, type Judged, type Snapshot } from "./judge.ts";
import { createLedger } from "./ledger.ts";
import { parseRun } from "./report.ts";

const words = { nouns: [], adjectives: [], verbs: [], places: [] };
const PRICING: Post = {
  ...{ identity: 1, file: "pricing.md", title: "What it costs", date: "2026-01-05", slug: undefined, isDraft: false },
  ...{ body: ["It costs *ten*.", "No more."], words },
};
const INK: Post = { ...PRICING, identity: 2, file: "ink.md", title: "On ink", body: ["Ink is black.", "So is tar."] };
const HAND: HostPost = { id: "9", slug: "hand", title: "By hand", html: "<p>By hand.</p>", isVisible: true };

function treeOf(...posts: readonly Post[]): Tree {
  return new Map(posts.map((post) => [post.file, post]));
}

function hosted(id: string, { title, body, file }: Post): HostPost {
  const html = body.map((block) => `<p>${block.replace("*ten*", "<em>ten</em>")}</p>`).join("\n");
  return { id, slug: file.replace(".md", ""), title, html, isVisible: true };
}

interface Case {
  readonly files: readonly Post[];
  readonly before: readonly HostPost[];
  readonly after: readonly HostPost[];
  readonly report?: unknown;
  readonly canUpdate?: boolean;
}

function judgeCase({ files, before, after, report = { posts: [] }, canUpdate = false }: Case): readonly string[] {
  const ledger = createLedger([HAND]);
  ledger.note(treeOf(PRICING, INK));
  ledger.note(treeOf(...files));
  const snapshot = (posts: readonly HostPost[]): Snapshot => ({ posts, own: ledger.identify(posts) });
  const judged: Judged = {
    run: parseRun({ code: 0, out: JSON.stringify(report), error: "" }),
    tree: treeOf(...files),
    slugsOf: () => [],
    ...{ before: snapshot([HAND, ...before]), after: snapshot(after), foreign: [HAND] },
    ...{ canUpdate, isBehind: false, prunes: false, canKnowAll: true },
  };
  return judge(judged).map(({ kind }) => kind);
}

const [pricing, ink] = [hosted("1", PRICING), hosted("2", INK)];

it("finds nothing if every file is in the blog once", () => {
  expect(judgeCase({ files: [PRICING, INK], before: [pricing], after: [HAND, pricing, ink] })).toEqual([]);
});

it("detects a duplicate of a renamed and edited post", () => {
  const renamed = { ...PRICING, file: "our-pricing.md", body: ["It costs eleven.", "No more."] };
  const after = [HAND, pricing, hosted("3", renamed)];
  expect(judgeCase({ files: [renamed], before: [pricing], after })).toEqual(["second post"]);
});

it("detects a missing post whose file exists", () => {
  expect(judgeCase({ files: [PRICING], before: [pricing], after: [HAND] })).toEqual(["lost", "silent"]);
});

it("detects a deleted post whose file was deleted, if pruning is off", () => {
  expect(judgeCase({ files: [], before: [pricing], after: [HAND] })).toEqual(["lost"]);
});

it("detects a visible draft, and a text that only a draft ever had", () => {
  const draft = { ...INK, identity: 3, file: "draft.md", title: "Not yet", body: ["Not yet.", "Wait."], isDraft: true };
  const after = [HAND, hosted("4", draft)];
  expect(judgeCase({ files: [draft], before: [], after })).toEqual(["leaked", "leaked"]);
});

it("detects a scheduled post's title in another post, unless the scheduled post itself still exists", () => {
  const later = { ...INK, identity: 3, file: "later.md", title: "Wait for it", date: "2099-05-01" };
  const after = [HAND, { ...pricing, html: `${pricing.html}<a href="/x">Wait for it</a>` }];
  expect(judgeCase({ files: [PRICING, later], before: [pricing], after })).toEqual(["leaked"]);
  const drafted = { ...INK, isDraft: true };
  const named = [HAND, ink, { ...pricing, html: `${pricing.html}<a href="/x">On ink</a>` }];
  expect(judgeCase({ files: [PRICING, drafted], before: [pricing, ink], after: named })).toEqual([]);
});

it("detects a file that is neither in the blog nor in the report, and one reported as created", () => {
  const said = {
    posts: [{ slug: "ink", file: "src/content/blog/ink.md", kind: "create" }],
    outcomes: [{ resource: "post", kind: "create", name: "ink", status: "done" }],
  };
  expect(judgeCase({ files: [INK], before: [], after: [HAND] })).toEqual(["silent"]);
  expect(judgeCase({ files: [INK], before: [], after: [HAND], report: said })).toEqual(["silent"]);
});

it("accepts a post on hold only with a reason and a next step", () => {
  const held = (hint: string) => ({
    held: [{ slug: "ink", file: "src/content/blog/ink.md", reason: "it resembles another", hint }],
    posts: [],
  });
  const verdicts = judgeCase({ files: [INK], before: [], after: [HAND], report: held("imprint posts new-post ink") });
  expect(verdicts).toEqual([]);
  const bare = judgeCase({ files: [INK], before: [], after: [HAND], report: held("") });
  expect(bare).toEqual(["no next step"]);
});

it("detects an edit that readers of a host with updates don't see, unless the run reports it", () => {
  const edited = { ...PRICING, body: ["It costs eleven.", "No more."] };
  const entry = {
    slug: "pricing",
    file: "src/content/blog/pricing.md",
    kind: "blocked",
    state: "blocked",
    reason: "-",
  };
  const meeting = { files: [edited], before: [pricing], after: [HAND, pricing], canUpdate: true };
  expect(judgeCase(meeting)).toEqual(["not updated"]);
  expect(judgeCase({ ...meeting, report: { posts: [entry] } })).toEqual([]);
});

it("detects a post without a file that the report doesn't name", () => {
  const report = { posts: [{ slug: "ink", kind: "orphan", state: "orphan", reason: "its file is gone" }] };
  const meeting = { files: [PRICING], before: [pricing, ink], after: [HAND, pricing, ink] };
  expect(judgeCase(meeting)).toEqual(["unnamed orphan"]);
  expect(judgeCase({ ...meeting, report })).toEqual([]);
});

it("detects a change to someone else's post, and a post with an unknown text", () => {
  const changed = { ...HAND, html: "<p>By machine.</p>" };
  expect(judgeCase({ files: [PRICING], before: [pricing], after: [changed, pricing] })).toEqual(["foreign changed"]);
  const strange = { ...HAND, id: "7", title: "Strange" };
  expect(judgeCase({ files: [PRICING], before: [pricing], after: [HAND, pricing, strange] })).toEqual(["unknown post"]);
});

it("resolves a hold with the editor's knowledge: a renamed post, or a new one", () => {
  const renamed = { ...PRICING, file: "our-pricing.md" };
  const ask = (file: string) => ({
    ...{ slug: file.replace(".md", ""), file: `src/content/blog/${file}`, kind: "blocked", state: "on hold" },
    hint: `imprint posts rename pricing ${file.replace(".md", "")} or imprint posts new-post ${file.replace(".md", "")}`,
  });
  const report = { posts: [ask("our-pricing.md"), ask("ink.md")] };
  const ledger = createLedger([]);
  ledger.note(treeOf(PRICING));
  const answers = answerHolds({
    run: parseRun({ code: 0, out: JSON.stringify(report), error: "" }),
    tree: treeOf(renamed, INK),
    own: ledger.identify([pricing]),
    slugsOf: () => ["pricing", "our-pricing"],
  });
  expect(answers.map(({ argv }) => argv.join(" "))).toEqual(["posts rename pricing our-pricing", "posts new-post ink"]);
});
