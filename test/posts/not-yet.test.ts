import { expect, it } from "vitest";
import type { FieldSettings } from "../../src/posts/read/field-keys.ts";
import { parsePost } from "../../src/posts/read/parse-post.ts";
import { holdingOf } from "../../src/posts/read/parse-posts.ts";
import { FIELD_SETTINGS, linesOf, read } from "./folder.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

/** The state of a post with this front matter: `shown`, why it is on hold, or `wrong`. */
function verdictOf(text: string, settings: Partial<FieldSettings> = {}): string {
  const isWhole = /^(?:---|\+\+\+|\{)/.test(text);
  const post = { file: "posts/a.md", path: "a.md", text: isWhole ? text : `---\n${text}\n---\nText\n` };
  const result = parsePost(post, { ...FIELD_SETTINGS, ...settings });
  if (result.kind === "refused") return "wrong";
  return holdingOf(result.post, NOW)[0]?.reason ?? "shown";
}

it.each([
  // Words that once were published without a warning.
  ...["status: archived", "status: scheduled", "status: in progress", "status: wip", "state: draft", "isDraft: true"],
  ...["is_draft: true", "isPublished: false", "unlisted: true", "hidden: true", "private: true", "unpublished: true"],
  ...["visibility: private", "+++\ntitle = 'x'\n[params]\ndraft = true\n+++\n", '{\n  "draft": true\n}\nText\n'],
  ...["base: &base\n  draft: true\n<<: *base", "draft: true", "published: false", "publish: false", "permalink: false"],
  // In any letter case.
  ...["Status: In-Progress", "status: in_review", "STATUS: ' Pending  Review '", "is-published: false", "Hidden: TRUE"],
  // WordPress, Ghost, Hashnode, Decap, Jekyll, Obsidian, Docusaurus, Hexo.
  ...["status: future", "status: auto-draft", "status: trash", "post_status: pending", "visibility: members"],
  ...["visibility: paid", "status: pending_publish", "status: pending_review", "public: false", "hide: true"],
  ...["params:\n  hidden: true", "extra:\n  status: draft", "archived: true", "listed: false", "visible: false"],
  ...["draft: true\nstatus: published", "draft: false\nstatus: draft", "published: true\nunlisted: true"],
])("hidden: %j", (text) => {
  expect(verdictOf(text)).toBe("draft");
});

it.each([
  ...[
    "status: published",
    "status: publish",
    "Status: LIVE",
    "state: active",
    "visibility: public",
    "status: Released",
  ],
  ...["draft: false", "isDraft: false", "published: true", "hidden: false", "unlisted: false", "archived: false"],
  ...["public: true", "listed: true", "status:", "visibility: ''", "params:\n  draft: false", "scheduled: false"],
  ...["hiddenFromHomePage: false", "searchHidden: false", "embargo: false"],
  // Keys that look like a switch and contain something else.
  ...["publishDate: 2024-01-01", "playlist: [a, b]", "listingImage: x.png", `publisher: "O'Reilly"`, "publisher: true"],
  ...[
    "list: [a]",
    "checklist: true",
    "toc: { hidden: true }",
    "cover: { image: a.png, hidden: true }",
    "wishlist: yes",
  ],
  ...["listOrder: 1", "draftVersion: 1", "archiveYear: 2024", "archives: [2024]", "publishPlace: Berlin"],
  ...["publishYear: 2024", "hide_table_of_contents: true", "hide_title: true", "specialist: true", "minimalist: yes"],
  ...["usState: Ohio", "projectStatus: ongoing", "statement: draft", "privateKeyFile: x.pem", "listen: true"],
  ...["hide: [navigation]", "drafts: [a.md]", "publication: Nature", "stage: 3", "publishTime: '10:00'"],
])("shown: %j", (text) => {
  expect(verdictOf(text)).toBe("shown");
});

it.each([
  ...["status: ready", "status: evergreen", "state: Ohio", "visibility: friends", "status: 3", "status: true"],
  ...["status: [draft]", "state: { a: b }", "unlistedInFeed: true", "readyToPublish: no", "readyToPublish: true"],
  ...["unlistedInFeed: false", "showInList: true", "notPublished: true", "draftMode: on", "keepPrivate: 'yes'"],
  ...["archive: true", "hiddenFromHomePage: true", "hideFromFeed: true", "isVisibleToPublic: false", "nolist: 1"],
  ...["reviewStatus: pending", "publicationStage: draft", "workflow: in review", "hidden: sometimes"],
  ...["private: members", "params:\n  unlistedInFeed: true", "+++\n[extra]\nkeepPrivate = true\n+++\n"],
  ...[
    "scheduled: true",
    "embargo: true",
    "embargoed: soon",
    "hiddenFromFeed: sometimes",
    "scheduledFor: tomorrow",
    "goLive: soon",
    "publishDate: 2024-01-01\ndate: soon",
  ],
])("on hold: %j", (text) => {
  expect(verdictOf(text)).toBe("unclear");
});

it.each([
  ...[
    'draft: "false"',
    "draft: no",
    "isDraft: 'true'",
    "hidden: yes",
    "unlisted: 1",
    "isPublished: no",
    "publish: someday",
  ],
  ...["published: someday", "date: 03/18/2024", "date: 2024-02-30"],
])("wrong: %j", (text) => {
  expect(verdictOf(text)).toBe("wrong");
});

it.each([
  ...[
    "date: 2027-01-01\npublishDate: 2024-01-01",
    "date: 2024-01-01\npublishDate: 2027-01-01",
    "scheduledDate: 2027-01-01",
  ],
  ...["date: 2024-01-01\nscheduled: 2027-01-01", "scheduledAt: 2027-01-01", "scheduled_at: 2027-01-01"],
  ...["scheduled-for: 2027-01-01", "date: 2024-01-01\nreleaseDate: 2027-01-01", "goLive: 2027-01-01"],
  ...["date: 2024-01-01\nembargo: 2027-01-01", "embargoUntil: 2027-01-01", "publish_from: 2027-01-01"],
  ...[
    "publishOnSite: 2027-01-01",
    "params:\n  publishDate: 2027-01-01",
    "+++\ndate = 2024-01-01\ngo_live = 2027-01-01\n+++\n",
  ],
  ...["published: 2027-01-01", "date: 2024-01-01\npubDate: 2027-01-01", "published: true\ndate: 2027-01-01"],
])("scheduled: %j", (text) => {
  expect(verdictOf(text)).toBe("scheduled");
});

it.each([
  ...["date: 2024-01-01\nupdatedDate: 2027-01-01", "date: 2024-01-01\nlastmod: 2027-01-01", "startDate: 2027-01-01"],
  ...[
    "date: 2024-01-01\nexpiryDate: 2027-01-01",
    "date: 2024-01-01\npublishUntil: 2027-01-01",
    "scheduledDate: 2024-01-01",
  ],
  ...["date: 2024-01-01\nlastPublishUpdate: 2027-01-01", "eventDate: 2027-01-01", "archivedAt: 2027-01-01"],
])("not waiting: %j", (text) => {
  expect(verdictOf(text)).toBe("shown");
});

it.each(["expires: 2025-01-01", "archivedAt: 2025-01-01", "unpublish_at: 2025-01-01"])("expired: %s", (text) => {
  expect(verdictOf(text)).toBe("expired");
});

it("the author can map keys and words", () => {
  const fields = { ignore: ["unlisted_in_feed", "params.keepPrivate", "releaseDate"] };
  const ignored = "unlistedInFeed: true\nparams:\n  keepPrivate: true\nreleaseDate: 2027-01-01\ntitle: x";
  expect([verdictOf(ignored), verdictOf(ignored, { fields })]).toEqual(["unclear", "shown"]);
  const mapped = { fields: { status: "workflow", draft: "keepBack", published: "readyToPublish" } };
  expect(verdictOf("workflow: review", mapped)).toBe("draft");
  expect(verdictOf("workflow: budding", mapped)).toBe("unclear");
  expect(verdictOf("keepBack: true", mapped)).toBe("draft");
  expect(verdictOf("keepBack: false\nreadyToPublish: true", mapped)).toBe("shown");
  expect(verdictOf("readyToPublish: false", mapped)).toBe("draft");
  expect(verdictOf("readyToPublish: no", mapped)).toBe("wrong");
  // A key whose name hides a post is never overlooked.
  expect(verdictOf("keepBack: false\ndraft: true", mapped)).toBe("draft");
  const statuses = { Evergreen: "shown", "seed-ling": "hidden", active: "hidden" } as const;
  expect(
    ["status: evergreen", "state: Seed ling", "status: active"].map((text) => verdictOf(text, { statuses })),
  ).toEqual(["shown", "draft", "draft"]);
});

it("a post on hold is reported with its location and option, and the others are published", async () => {
  const result = await read({
    "posts/good.md": "# Good",
    "posts/hold.md":
      "---\ntitle: H\nslug: good\nstatus: ready\nparams:\n  unlistedInFeed: true\ndate: 2027-01-01\n---\n![](./missing.png)\n",
  });
  expect([result.posts.map(({ slug }) => slug), linesOf(result)]).toEqual([["good"], []]);
  expect(result.unclear).toEqual([
    {
      file: "posts/hold.md",
      slug: "good",
      title: "H",
      reason: "unclear",
      publishedAt: new Date("2027-01-01"),
      doubts: [
        {
          line: 4,
          column: 1,
          message:
            '"status" is "ready", and imprint doesn\'t know what that means. Set `posts.statuses: { "ready": "shown" }` or `"hidden"`. Set `posts.fields: { ignore: ["status"] }` if it has another meaning.',
        },
        {
          line: 6,
          column: 3,
          message:
            '"params.unlistedInFeed" is "true" and may hide the post, but imprint doesn\'t know this key. Set `posts.fields: { draft: "params.unlistedInFeed" }` if true hides a post, or `{ published: "params.unlistedInFeed" }` if true shows it. Set `posts.fields: { ignore: ["params.unlistedInFeed"] }` if it has another meaning.',
        },
      ],
    },
  ]);
});

it("a post waits for its latest date and shows the one with the highest precedence", async () => {
  const text = "---\ntitle: A\ndate: 2024-01-01\nscheduledFor: 2026-06-01\nembargo: 2026-03-01\n---\n";
  const waiting = await read({ "posts/a.md": text });
  expect(waiting.scheduled).toMatchObject([{ file: "posts/a.md", publishedAt: new Date("2026-06-01") }]);
  const due = await read({ "posts/a.md": text }, { now: new Date("2026-06-01") });
  expect(due.posts).toMatchObject([{ publishedAt: new Date("2024-01-01") }]);
});
