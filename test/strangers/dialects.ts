import { dialectA, dialectB, type Dialect, type SlugRule } from "./dialect.ts";

const SHORT_SLUGS: SlugRule = {
  pattern: /^[a-z0-9-]+$/,
  maxLength: 40,
  words: "slug may contain only a-z, 0-9 and hyphens, and at most 40 characters",
};
const LONGER_SLUGS: SlugRule = {
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  maxLength: 64,
  words: "slug may contain only a-z, 0-9 and single hyphens between them, and at most 64 characters",
};
const UNDERSCORES: SlugRule = {
  pattern: /^[a-z0-9_]+$/,
  maxLength: 80,
  words: "slug may contain only lower-case letters, digits and underscores",
};
const TERSE_SLUGS: SlugRule = { pattern: /^[a-z0-9_]+$/, maxLength: 80, words: "slug is invalid" };

const NOT_IN_PLAN = { status: 403, words: "Brand kits are not part of your plan." } as const;
const ON_OWN_PORT = { shownOn: "own-port" } as const;
const MINIMAL = { fields: "few", shape: "bare" } as const;

/** Hosts that the specification allows. Each is plain except for the differences in its name. */
export const DIALECTS: readonly Dialect[] = [
  dialectA("A plain, tells publicUrl, checks tags", { pages: { tells: "public-url", tags: "checked" } }),
  dialectA("A plain, only /edit/"),
  dialectA("A part files[], posts take content", { library: { part: "files[]" }, posts: { body: "content" } }),
  dialectA("A part image (422), blog title, numeric ids", {
    library: { part: "image" },
    posts: { blogName: "title" },
    ids: "numbers",
    pages: { tells: "public-url" },
  }),
  dialectA("A part asset (400), src, relative files, pages at /slug", {
    library: { part: "asset", addressField: "src", addresses: "relative" },
    missingField: 400,
    wrongForm: 400,
    pages: { shownAt: "/{slug}", tells: "public-url" },
    errors: "nested",
  }),
  dialectA("A pages at /slug, only /edit/ reported", { pages: { shownAt: "/{slug}" } }),
  dialectA("A pages at /account/slug on another port, publicUrl", {
    pages: { shownAt: "/acme/{slug}", ...ON_OWN_PORT, tells: "public-url" },
  }),
  dialectA("A pages on another port, only /edit/, pagesUrl set", {
    pages: { shownAt: "/{slug}", ...ON_OWN_PORT },
    library: { addresses: "relative" },
    pagesUrlOption: "set",
  }),
  dialectA("A pages on another port, only /edit/, pagesUrl not set", {
    pages: { shownAt: "/sites/acme/{slug}", ...ON_OWN_PORT },
    cannot: ["pages-address"],
  }),
  dialectA("A pages shown to members only", { pages: { visitors: "signed-in", tells: "public-url" } }),
  dialectA("A extra fields refused, other queries refused", {
    pages: { extraFields: "refused", tells: "public-url" },
    lists: { otherQuery: "refused", shape: "named" },
  }),
  dialectA("A slugs of 40 characters, list of errors", { pages: { slugs: SHORT_SLUGS }, errors: "list" }),
  dialectA("A underscores in slugs", { pages: { slugs: UNDERSCORES, tells: "public-url" } }),
  dialectA("A underscores in slugs, without a word why", { pages: { slugs: TERSE_SLUGS, tells: "public-url" } }),
  dialectA("A makes underscores of hyphens in slugs", { pages: { folds: "hyphens to underscores" } }),
  dialectA("A tidied html, shown, checks tags", { pages: { keeps: "tidied", tells: "public-url", tags: "checked" } }),
  dialectA("A scripts taken out", { pages: { keeps: "no-scripts", tells: "public-url" }, cannot: ["scripts"] }),
  dialectA("A tidied html, never shown, few fields", {
    pages: { keeps: "tidied", reads: "nothing" },
    lists: { fields: "few" },
  }),
  dialectA("A html never shown, minimal lists, numeric ids, checks tags", {
    pages: { reads: "nothing", tags: "checked" },
    lists: MINIMAL,
    posts: { lists: "id-and-title" },
    ids: "numbers",
  }),
  dialectA("A library of images without SVG, names random", {
    library: { takes: "no-svg", names: "random" },
    pages: { tells: "public-url" },
  }),
  dialectA("A library refuses fonts (422), names lower-cased", {
    library: { takes: "no-fonts", refusedType: 422, names: "lower", addresses: "relative" },
  }),
  dialectA("A files at addresses that are signed and expire", {
    library: { signs: { as: "exp-sig", seconds: 3600, asks: true } },
  }),
  dialectA("A files at addresses that are signed and expire, tidied html, few fields", {
    library: { signs: { as: "amazon", seconds: 3600, asks: true }, names: "random" },
    pages: { keeps: "tidied", tells: "public-url" },
    lists: { fields: "few" },
  }),
  dialectA("A cursor lists of 20, full account", {
    lists: { paging: "cursor", shape: "data" },
    foreign: 45,
    pages: { tells: "public-url" },
  }),
  dialectA("A page-number lists of 20, bare, full account", {
    lists: { paging: "link-header", shape: "bare" },
    foreign: 45,
  }),
  dialectA("A lists of 20 that don't say so, by page, full account", {
    lists: { paging: "page-unsaid", shape: "bare" },
    foreign: 15,
    pages: { tells: "public-url" },
  }),
  dialectA("A 202 and live a moment later, demands tags", {
    pages: { tags: "required", created: 202, updated: 202, deleted: 202, appearsAfterMs: 250, tells: "public-url" },
  }),
  dialectA("A 40 KB a body (413)", { pages: { maxBytes: 40_000 }, cannot: ["large-page"] }),
  dialectA("A 12 a second with Retry-After", { rate: { perSecond: 12, retryAfter: "sent" } }),
  dialectA("A areas refused, HTML error pages", {
    areas: {
      sites: { status: 404, words: "Not found" },
      brandKits: NOT_IN_PLAN,
      analytics: { status: 403, words: "Analytics need the Pro plan." },
      domains: { status: 402, words: "Custom domains need the Pro plan." },
    },
    errors: "html",
  }),
  dialectA("A no blogs (403)", {
    areas: { blogs: { status: 403, words: "Blogs are switched off for this account." } },
    cannot: ["posts"],
  }),
  dialectA("A keys replay for 24 hours, posts refuse duplicates", {
    idempotency: "replayed",
    posts: { duplicates: "409" },
    pages: { tells: "public-url" },
  }),

  dialectA("A style sheets and frames taken out for readers only", {
    pages: { shows: "no-frames-or-styles", tells: "public-url" },
    cannot: ["styles"],
  }),

  dialectA("A styles put into a file", { pages: { shows: "styles-in-a-file", tells: "public-url" } }),

  dialectA("A reads name /account/slug/, a moment late", {
    pages: { shownAt: "/acme/{slug}/", tells: "when-read", appearsAfterMs: 1500, readsAppearLate: true },
  }),

  dialectA("A statistics put into pages, html shown to readers only", {
    pages: { shows: "statistics-too", reads: "nothing", tells: "public-url" },
  }),

  dialectA("A records and lists in {ok, result}", { envelope: "ok-result", lists: { shape: "bare" } }),
  dialectA("A records and lists in {success, data}, only /edit/", {
    envelope: "success-data",
    lists: { shape: "named" },
  }),

  dialectA("A posts take content, and are taken without it", { posts: { body: "content", textless: "taken" } }),

  dialectA("A posts take only Markdown", { posts: { body: "markdown", tells: "url" } }),

  dialectB("B plain"),
  dialectB("B posts take text, and are taken without it", {
    posts: { body: "text", textless: "taken" },
    cannot: ["posts"],
  }),
  dialectA("A null where there is nothing, files processed first, versions in bodies", {
    nothing: "null",
    library: { processesMs: 300 },
    pages: { tags: "version" },
  }),
  dialectB("B 204 where there is nothing", { nothing: "204" }),
  dialectA("A ids are _id, lists are bare", { keys: "mongo", lists: { shape: "bare" } }),
  dialectB("B fields like Slug, ID, and URL, cursor lists", {
    keys: "Pascal",
    lists: { paging: "cursor", shape: "items" },
    foreign: 15,
  }),
  dialectB("B records and lists in {ok, result}, named", { envelope: "ok-result", lists: { shape: "named" } }),
  dialectB("B records and lists in {success, data}, bare", { envelope: "success-data", lists: { shape: "bare" } }),
  dialectB("B no raw route, addresses lead on to a slash", { pages: { reads: "no-route", leadsOn: "to-slash" } }),
  dialectB("B part image, PUT multipart, demands tags", {
    library: { part: "image" },
    pages: { putBody: "multipart", tags: "required" },
  }),
  dialectB("B part files[] (400), PUT form, posts take body", {
    library: { part: "files[]" },
    pages: { putBody: "form" },
    posts: { body: "body" },
    missingField: 400,
    wrongForm: 400,
  }),
  dialectB("B errors in answers of status 200, tags of something else", {
    errors: "in-200",
    pages: { tags: "unmatched" },
  }),
  dialectB("B part asset, src, id, images only", {
    library: { part: "asset", addressField: "src", idField: "id", takes: "images" },
  }),
  dialectB("B images without SVG (422), names random", {
    library: { takes: "no-svg", refusedType: 422, names: "random" },
  }),
  dialectB("B pages at /slug on another port, relative files", {
    pages: { shownAt: "/{slug}", ...ON_OWN_PORT },
    library: { addresses: "relative" },
  }),
  dialectB("B pages at /account/slug, PUT answers 204", {
    pages: { shownAt: "/acme/{slug}", updated: 204 },
    posts: { body: "content", blogName: "title" },
  }),
  dialectB("B PUT of an unknown slug is 404", { pages: { putUnknown: "404", created: 200 }, errors: "problem" }),
  dialectB("B POST of a taken slug gets another slug", { pages: { taken: "suffix", putUnknown: "404" } }),
  dialectB("B POST of a taken slug updates", { pages: { taken: "updates" }, lists: { shape: "named" } }),
  dialectB("B slugs of 64 characters, text errors", { pages: { slugs: LONGER_SLUGS }, errors: "text" }),
  dialectB("B cuts slugs at 30 characters", { pages: { folds: "long slugs", taken: "suffix" } }),
  dialectB("B underscores in slugs, extra fields refused", { pages: { slugs: UNDERSCORES, extraFields: "refused" } }),
  dialectB("B raw as JSON, tidied html, checks tags", {
    pages: { reads: "json", keeps: "tidied", tags: "checked" },
  }),
  dialectB("B raw refused, tidied html, few fields", {
    pages: { reads: "nothing", keeps: "tidied" },
    lists: { fields: "few" },
    posts: { lists: "id-and-title" },
  }),
  dialectB("B scripts taken out", { pages: { keeps: "no-scripts" }, cannot: ["scripts"] }),
  dialectB("B page-number lists of 20, full account", {
    lists: { paging: "page-number", shape: "named" },
    foreign: 45,
  }),
  dialectB("B lists of 20 that don't say so, by offset, full account", {
    lists: { paging: "offset-unsaid", shape: "named" },
    foreign: 15,
  }),
  dialectB("B cursor lists of 20, few fields, numeric ids", {
    lists: { paging: "cursor", shape: "items", fields: "few" },
    foreign: 45,
    ids: "numbers",
  }),
  dialectB("B 40 KB a body (413), numeric ids", {
    pages: { maxBytes: 40_000 },
    ids: "numbers",
    cannot: ["large-page"],
  }),
  dialectB("B 12 a second without Retry-After", { rate: { perSecond: 12, retryAfter: "omitted" } }),
  dialectB("B 60 ms an answer, names lower-cased", { latencyMs: 60, library: { names: "lower" } }),
  dialectB("B areas refused, HTML error pages", {
    areas: {
      sites: { status: 403, words: "Sites are not available." },
      brandKits: { status: 402, words: "Upgrade to use brand kits." },
      analytics: { status: 404, words: "Not found" },
    },
    errors: "html",
  }),
  dialectB("B no blogs (404)", { areas: { blogs: { status: 404, words: "No such route." } }, cannot: ["posts"] }),
  dialectB("B uploads need a plan (402)", { areas: { upload: { status: 402, words: "Your plan has no library." } } }),
  dialectB("B posts stay drafts, whatever was asked for", { posts: { kept: "draft" }, cannot: ["posts"] }),
  dialectB("B pages shown to members only", { pages: { visitors: "signed-in" } }),
  dialectB("B keys replay for 24 hours and say so, posts from title", {
    idempotency: "replayed-and-marked",
    posts: { slugs: "from-title", duplicates: "409" },
  }),
  dialectB("B brand colors as a list only, 202", {
    brandColors: "list",
    pages: { created: 202 },
    posts: { created: 202 },
    library: { uploaded: 202 },
  }),
  dialectA("A deletes softly", { pages: { deletes: "softly" } }),
  dialectB("B deletes softly", { pages: { deletes: "softly", tells: "public-url" } }),
];
