// What a reasonable implementation of the specification may decide. Everything else is the same on every host.

export type BodyForm = "json" | "form" | "multipart";
export type Area = "sites" | "brandKits" | "blogs" | "analytics" | "domains" | "forms" | "library" | "upload" | "pages";

/**
 * What no publisher can do on this host: only these differences may be reported instead of being live. `large-page`:
 * its largest body is smaller than a page. `scripts`, `styles`: it removes them. `posts`: readers get no posts.
 * `pages-address`: nothing shows where pages are served.
 */
export type Limit = "large-page" | "scripts" | "styles" | "posts" | "pages-address";

export interface Refusal {
  readonly status: number;
  readonly words: string;
}

export interface SlugRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly words: string;
}

/** A store that replaces characters outside its encoding with `?`; `three-byte` replaces emoji. */
export type LossyStore = "ascii" | "latin-1" | "three-byte";

/**
 * A store that cuts a page at 65,535 bytes, drops a kind of attribute or element, adds a `<base>`, moves style
 * elements to the head, or changes straight quotes.
 */
export type RewritingStore =
  | "styles-in-head"
  | "typographic-quotes"
  | "64-KiB"
  | "no-ids"
  | "no-classes"
  | "no-refresh"
  | "no-tables"
  | "no-media"
  | "no-buttons"
  | "no-details"
  | "no-embeds"
  | "no-robots"
  | "no-handlers"
  | "no-custom-elements"
  | "no-description"
  | "own-language"
  | "own-title"
  | "own-canonical"
  | "noindex"
  | "one-line"
  | "with-base";

export interface PagesDialect {
  /** Body of `PUT`. `POST` of route set B takes multipart, as specified. */
  readonly putBody: BodyForm;
  /** Whether unspecified fields are refused. */
  readonly extraFields: "ignored" | "refused";
  /** Result of `PUT` for a slug without a page; route set A creates it, as specified. */
  readonly putUnknown: "creates" | "404";
  /** Result of `POST` of route set B for a slug with a page. */
  readonly taken: "409" | "updates" | "suffix" | "returns it";
  readonly created: 200 | 201 | 202;
  readonly updated: 200 | 202 | 204;
  readonly deleted: 200 | 202 | 204;
  /**
   * `softly`: it keeps the page with the time of its deletion, which only lists and requests for the page show, until it
   * is sent again. `to trash`: with a status, and only in lists. `unpublishes`: with the status that an editor gives it.
   * `unseen`: for good, and visitors still get a copy.
   */
  readonly deletes: "for good" | "softly" | "to trash" | "unpublishes" | "unseen";
  /** A pattern with `{slug}`. */
  readonly shownAt: string;
  readonly shownOn: "api-port" | "own-port";
  /** A former pattern beside the API, from which visitors are redirected. */
  readonly formerlyAt: string | undefined;
  /** `by form`: others get a form to sign in with status 200, at the address of the page. */
  readonly visitors: "all" | "signed-in" | "by form";
  /** Whether an address redirects to itself with a trailing slash. */
  readonly leadsOn: "never" | "to-slash";
  readonly appearsAfterMs: number;
  /** How long visitors get the previous version. */
  readonly changesAfterMs: number;
  /** Whether `GET` of one page also shows it only from then on. */
  readonly readsAppearLate: boolean;
  /**
   * `edit`: only `/edit/<id>`. `public-url`: also `publicUrl`. `when-read`: that, but not in the response to a write,
   * as specified. `url`: `url` is the public address.
   */
  readonly tells: "edit" | "public-url" | "when-read" | "url";
  /** Status of a sent page. Only a person can publish it, except one that is `pending` until it appears. */
  readonly becomes: "published" | "draft" | "awaiting_moderation" | "pending";
  /** How the host stores the HTML. */
  readonly keeps: "as-sent" | "with-banner" | "tidied" | "no-scripts" | LossyStore | RewritingStore;
  /** Headers of pages for visitors. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * How visitors' HTML differs from that. `in-a-layout`: the contents of the body within a page of the host's own.
   * `styles-in-a-file`: style elements become links to a file.
   */
  readonly shows: "all" | "statistics-too" | "no-frames-or-styles" | "in-a-frame" | "in-a-layout" | "styles-in-a-file";
  /** Whether and how `GET` of one page (A) or `raw` (B) returns the HTML. `no-route`: there is no `raw`. */
  readonly reads: "html" | "json" | "nothing" | "no-route";
  readonly slugs: SlugRule | undefined;
  /** Slugs reserved by the host. */
  readonly reserved: readonly string[];
  /** How it changes a slug without refusing it. `usual slugs`: it has its own for pages that most sites have. */
  readonly folds:
    | "letter case"
    | "nothing"
    | "double hyphens"
    | "hyphens to underscores"
    | "long slugs"
    | "hyphens away"
    | "usual slugs";
  /** Whether requests for one page find it by a slug that it changes. */
  readonly foldsReads: boolean;
  readonly maxBytes: number | undefined;
  /** Page limit of the account, and the refusal beyond it. */
  readonly room: (Refusal & { readonly pages: number }) | undefined;
  /** Which titles it accepts; a refusal if it limits their length. */
  readonly titles: "any" | "unique" | (Refusal & { readonly maxLength: number });
  /** How it changes titles, wherever it shows them. */
  readonly keepsTitles: "as-sent" | "escaped" | "with-site-name" | "cut";
  /**
   * `ETag` of a page. `checked`: in each answer, and `If-Match` is compared with it. `required`: only in answers that
   * show the page, and a change without a condition is refused. `unmatched`: `If-Match` is compared with something
   * else. `version`: there is none, and the body of a change has to name the number of the page's version.
   * `weak-required`: as `required`, but weak, and lists show another number.
   */
  readonly tags: "none" | "weak" | "checked" | "required" | "weak-required" | "unmatched" | "version";
}

export interface LibraryDialect {
  readonly part: "file" | "files[]" | "image" | "asset" | "upload";
  readonly takes: "all" | "images" | "no-svg" | "no-fonts";
  readonly refusedType: 400 | 415 | 422;
  /** File limit of the account, and the refusal beyond it. */
  readonly room: (Refusal & { readonly files: number }) | undefined;
  readonly addresses: "absolute" | "relative";
  /** `publicUrl`: `url` is the address of the file in the dashboard. */
  readonly addressField: "url" | "src" | "publicUrl" | "urls.original" | "none";
  /** What the list shows of a file. */
  readonly lists: "addresses" | "names";
  /** How readers get files. `own pages`: only if a page of the host loads them. `cut`: only the first 20 bytes. */
  readonly serves: "all" | "drawings-as-text" | "own pages" | "cut" | "nothing";
  readonly idField: "assetId" | "id";
  /**
   * `40 characters`: it cuts longer names, and a file replaces another of its name, at the same address. `of the last`:
   * it keeps files of the same content once, under the name of the last upload.
   */
  readonly names: "kept" | "lower" | "random" | "40 characters" | "of the last";
  readonly uploaded: 200 | 201 | 202;
  /** Delay until the list shows an uploaded file. */
  readonly listedAfterMs: number;
  /** How long a file is `processing`. */
  readonly processesMs: number;
  /** Whether a file then has no address, or one that answers 404. */
  readonly processing: "without an address" | "at its address";
  /** Number of files in one part of a list. */
  readonly partSize: number;
  /** The signature that each response adds to file addresses, different each time. */
  readonly signs: "nothing" | Signature;
}

export interface Signature {
  /**
   * `amazon`: with the fields of S3. `unnamed`: nothing identifies it as a signature, or shows its expiry. `in-path`: it
   * isn't in the query.
   */
  readonly as: "exp-sig" | "amazon" | "unnamed" | "in-path";
  /** Validity of an address. */
  readonly seconds: number;
  /** Whether files require the signature. */
  readonly asks: boolean;
}

export interface PostsDialect {
  /** With `markdown` in its name, it takes Markdown and shows that as HTML, without any HTML in it. */
  readonly body: "html" | "content" | "body" | "text" | "markdown" | "content_markdown";
  /** Whether a post with the usual names of HTML is refused. */
  readonly otherBodies: "ignored" | "refused";
  /** Handling of a post without text in that field; an accepted one is listed with `html`. */
  readonly textless: "refused" | "taken";
  readonly blogName: "name" | "title";
  /**
   * What a POST with the slug of a post does. `replaced`: it gets another id. `title updated`: its text stays. `another
   * updated`: the first other post is, and `another returned` is answered with that one.
   */
  readonly duplicates:
    | "accepted"
    | "409"
    | "returned"
    | "updated"
    | "title updated"
    | "text updated"
    | "unpublished"
    | "another updated"
    | "another returned"
    | "replaced";
  /** What makes a post the same as another one. */
  readonly sameBy: "slug" | "title";
  /**
   * `as-sent`: the list shows every field that was sent, whatever its name. `no-text`: all except the text. `unset`:
   * fields that it accepted and dropped are shown without a value, and the date is that of the request.
   */
  readonly lists: "all" | "id-and-title" | "as-sent" | "no-text" | "unset";
  /** Whether lists and answers name the public address of a post, on the host of the pages or on another. */
  readonly tells: "nothing" | "url" | "url-elsewhere";
  /** `numbered`: each gets a number, taken or not. `taken numbered`: one that is taken gets a number. */
  readonly slugs: "given" | "from-title" | "numbered" | "taken numbered" | "24 characters";
  readonly created: 200 | 201 | 202;
  /** `plain text`: without tables, pictures, frames and code blocks. `markup as text`: readers see tags. */
  readonly stores: "all" | "plain text" | "before emoji" | "markup as text";
  readonly titles: "kept" | "30 characters" | "untitled";
  /** What readers get at its address. */
  readonly shows:
    | "all"
    | "coming soon"
    | "another post"
    | "the home page"
    | "a password form"
    | "plain text"
    | "latin-1"
    | "no images"
    | "by script";
  /** Status of a post that was sent as published. `unnamed draft`: no answer or list names it. */
  readonly kept: "published" | "draft" | "pending" | "unnamed draft";
  /** Whether the answer to a new post shows it. */
  readonly answers: "the post" | "nothing";
}

export interface ListsDialect {
  readonly shape: "bare" | "data" | "named" | "items";
  /**
   * `page-unsaid`, `offset-unsaid`: a part doesn't show that others follow. `offset-counted`: a header has the number of
   * all records. `cut`: no request returns the others.
   */
  readonly paging:
    | "none"
    | "page-number"
    | "cursor"
    | "link-header"
    | "page-unsaid"
    | "offset-unsaid"
    | "offset-counted"
    | "cut";
  /** `times-too`: pages also have the time of the last change; `days-too`: rounded to days. */
  readonly fields: "all" | "few" | "times-too" | "days-too";
  readonly otherQuery: "ignored" | "refused";
  /** Whether lists of pages and posts have those that visitors don't see. */
  readonly drafts: "shown" | "left out";
  /** Delay until the lists of pages, sites, brand kits and blogs show a new record, or a new title of a page. */
  readonly recordsAfterMs: number;
}

export interface Dialect {
  /** What is special about it. */
  readonly name: string;
  readonly routeSet: "a" | "b";
  readonly pages: PagesDialect;
  readonly library: LibraryDialect;
  readonly posts: PostsDialect;
  readonly lists: ListsDialect;
  /** Status for a body in the wrong format, or with a missing field. */
  readonly wrongForm: 400 | 415;
  readonly missingField: 400 | 422;
  /** Response for an empty list, and for a page that doesn't exist. `null`: as JSON, in the usual envelope. */
  readonly nothing: "empty list, 404" | "null" | "204";
  /** How records name their fields. `mongo`: the id is `_id`. `embedded`: a list is under `_embedded`. */
  readonly keys: "usual" | "mongo" | "Pascal" | "embedded";
  /** Envelope of the JSON in a response, for records and lists. */
  readonly envelope: "none" | "ok-result" | "success-data";
  readonly errors: "message" | "nested" | "list" | "problem" | "html" | "text" | "in-200" | "ok-false";
  /** How it refuses an unknown key. */
  readonly refusesKeys: "401" | "404" | "with its sign-in page" | "by a redirect";
  readonly areas: Partial<Readonly<Record<Area, Refusal>>>;
  /** `lettered`: counted, each with a letter before its number. */
  readonly ids: "text" | "numbers" | "lettered";
  /**
   * What `PUT` does to a site or brand kit. `replaces`: it clears the fields that aren't sent. `drops`: that, and it
   * ignores fields of others. `refuses`: that, and it refuses them. Pages are always replaced.
   */
  readonly puts: "merges" | "replaces" | "drops" | "refuses";
  readonly brandColors: "any" | "list";
  readonly rate: { readonly perSecond: number; readonly retryAfter: "sent" | "omitted" } | undefined;
  readonly latencyMs: number;
  readonly idempotency: "ignored" | "replayed" | "replayed-and-marked";
  /** Number of existing records of others, so that lists have several pages. */
  readonly foreign: number;
  /** Whether the user has to set the address of pages, since the host never reports it. */
  readonly pagesUrlOption: "set" | "not-set";
  readonly cannot: readonly Limit[];
}

type Differences = Partial<
  Omit<Dialect, "pages" | "library" | "posts" | "lists"> & {
    readonly pages: Partial<PagesDialect>;
    readonly library: Partial<LibraryDialect>;
    readonly posts: Partial<PostsDialect>;
    readonly lists: Partial<ListsDialect>;
  }
>;

const COMMON = {
  wrongForm: 415,
  missingField: 422,
  nothing: "empty list, 404",
  keys: "usual",
  envelope: "none",
  errors: "message",
  refusesKeys: "401",
  areas: {},
  ids: "text",
  puts: "merges",
  brandColors: "any",
  rate: undefined,
  latencyMs: 0,
  idempotency: "ignored",
  foreign: 0,
  pagesUrlOption: "not-set",
  cannot: [],
} as const satisfies Omit<Dialect, "name" | "routeSet" | "pages" | "library" | "posts" | "lists">;

const PAGES: PagesDialect = {
  putBody: "json",
  extraFields: "ignored",
  putUnknown: "creates",
  taken: "409",
  created: 201,
  updated: 200,
  deleted: 204,
  deletes: "for good",
  shownAt: "/p/{slug}",
  shownOn: "api-port",
  formerlyAt: undefined,
  visitors: "all",
  leadsOn: "never",
  appearsAfterMs: 0,
  changesAfterMs: 0,
  readsAppearLate: false,
  tells: "edit",
  becomes: "published",
  keeps: "as-sent",
  headers: {},
  shows: "all",
  reads: "html",
  slugs: undefined,
  reserved: [],
  folds: "nothing",
  foldsReads: false,
  maxBytes: undefined,
  room: undefined,
  titles: "any",
  keepsTitles: "as-sent",
  tags: "none",
};

const LIBRARY: LibraryDialect = {
  part: "file",
  takes: "all",
  refusedType: 415,
  room: undefined,
  addresses: "absolute",
  addressField: "url",
  lists: "addresses",
  serves: "all",
  idField: "assetId",
  names: "kept",
  uploaded: 201,
  listedAfterMs: 0,
  processesMs: 0,
  processing: "without an address",
  partSize: 20,
  signs: "nothing",
};

const POSTS: PostsDialect = {
  body: "html",
  otherBodies: "ignored",
  textless: "refused",
  blogName: "name",
  duplicates: "accepted",
  sameBy: "slug",
  lists: "all",
  tells: "nothing",
  slugs: "given",
  created: 201,
  stores: "all",
  titles: "kept",
  shows: "all",
  kept: "published",
  answers: "the post",
};

const LISTS: ListsDialect = {
  shape: "data",
  paging: "none",
  fields: "all",
  otherQuery: "ignored",
  drafts: "shown",
  recordsAfterMs: 0,
};

/** Creates a dialect of route set A: the plain one with differences. */
export function dialectA(name: string, differences: Differences = {}): Dialect {
  return withDifferences(
    { ...COMMON, name, routeSet: "a", pages: PAGES, library: LIBRARY, posts: POSTS, lists: LISTS },
    differences,
  );
}

/** Creates a dialect of route set B, where `url` is the public address, as specified. */
export function dialectB(name: string, differences: Differences = {}): Dialect {
  return withDifferences(
    { ...COMMON, name, routeSet: "b", pages: { ...PAGES, tells: "url" }, library: LIBRARY, posts: POSTS, lists: LISTS },
    differences,
  );
}

function withDifferences(plain: Dialect, { pages, library, posts, lists, ...rest }: Differences): Dialect {
  return {
    ...plain,
    ...rest,
    pages: { ...plain.pages, ...pages },
    library: { ...plain.library, ...library },
    posts: { ...plain.posts, ...posts },
    lists: { ...plain.lists, ...lists },
  };
}
