// What one reasonable reading of the specification may decide for itself. Everything else is the same at every stranger.

export type BodyForm = "json" | "form" | "multipart";
export type Area = "sites" | "brandKits" | "blogs" | "analytics" | "domains" | "forms" | "upload" | "pages";

/**
 * What nobody can do at this host, whoever publishes: only these differences may be told instead of made live.
 * `large-page`: its largest body is smaller than a page. `scripts`, `styles`: it takes them out. `posts`: no
 * post gets to readers.
 * `pages-address`: nothing tells where pages are shown.
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

/** A store that has `?` for other characters than its own; `three-byte`: for emoji. */
export type LossyStore = "ascii" | "latin-1" | "three-byte";

export interface PagesDialect {
  /** Body that `PUT` takes. `POST` of route set B takes multipart, as the specification says. */
  readonly putBody: BodyForm;
  /** Whether a field that the specification does not show is refused. */
  readonly extraFields: "ignored" | "refused";
  /** What `PUT` does with a slug that has no page; route set A creates it, as the specification says. */
  readonly putUnknown: "creates" | "404";
  /** What `POST` of route set B does with a slug that has a page. */
  readonly taken: "409" | "updates" | "suffix";
  readonly created: 200 | 201 | 202;
  readonly updated: 200 | 202 | 204;
  readonly deleted: 200 | 202 | 204;
  /** A pattern with `{slug}`. */
  readonly shownAt: string;
  readonly shownOn: "api-port" | "own-port";
  readonly visitors: "all" | "signed-in";
  /** Whether an address leads on to the same one with a slash at its end. */
  readonly leadsOn: "never" | "to-slash";
  readonly appearsAfterMs: number;
  /** How long visitors get the version of before. */
  readonly changesAfterMs: number;
  /** Whether `GET` of one page shows it only from then on, too. */
  readonly readsAppearLate: boolean;
  /**
   * `edit`: only `/edit/<id>`. `public-url`: also `publicUrl`. `when-read`: that, but not in the answer to a write, as
   * the specification shows it. `url`: `url` is the public address.
   */
  readonly tells: "edit" | "public-url" | "when-read" | "url";
  /** What becomes of a page that is sent; only a person makes a draft public. */
  readonly becomes: "published" | "draft";
  /** What the host makes of the HTML, for visitors and for itself. */
  readonly keeps: "as-sent" | "with-banner" | "tidied" | "no-scripts" | LossyStore;
  /** What visitors get otherwise. */
  readonly shows: "all" | "statistics-too" | "no-frames-or-styles";
  /** Whether `GET` of one page (A) or `raw` (B) shows the HTML, and as what. `no-route`: there is no `raw`. */
  readonly reads: "html" | "json" | "nothing" | "no-route";
  readonly slugs: SlugRule | undefined;
  /** Slugs that the host keeps for itself. */
  readonly reserved: readonly string[];
  /** What it makes of a slug without refusing it. */
  readonly folds: "nothing" | "double hyphens" | "hyphens to underscores" | "long slugs" | "hyphens away";
  readonly maxBytes: number | undefined;
  /** How many pages the account holds, and how a new one is refused beyond that. */
  readonly room: (Refusal & { readonly pages: number }) | undefined;
  readonly titles: "any" | "unique";
  /** What it makes of a title that it is sent, wherever it shows it. */
  readonly keepsTitles: "as-sent" | "escaped" | "with-site-name" | "cut";
  /**
   * `ETag` of a page. `checked`: in each answer, and `If-Match` is compared with it. `required`: only in answers that show
   * the page, and a change without a condition is refused. `unmatched`: `If-Match` is compared with something else.
   */
  readonly tags: "none" | "weak" | "checked" | "required" | "unmatched";
}

export interface LibraryDialect {
  readonly part: "file" | "files[]" | "image" | "asset" | "upload";
  readonly takes: "all" | "images" | "no-svg" | "no-fonts";
  readonly refusedType: 400 | 415 | 422;
  /** How many files the account holds, and how another one is refused. */
  readonly room: (Refusal & { readonly files: number }) | undefined;
  readonly addresses: "absolute" | "relative";
  /** `publicUrl`: `url` is the address of the file in the dashboard. */
  readonly addressField: "url" | "src" | "publicUrl" | "urls.original";
  /** What the list shows of a file. */
  readonly lists: "addresses" | "names";
  /** What readers get of a file. */
  readonly serves: "all" | "drawings-as-text" | "nothing";
  readonly idField: "assetId" | "id";
  readonly names: "kept" | "lower" | "random";
  readonly uploaded: 200 | 201 | 202;
  /** How late the list shows a file that was uploaded. */
  readonly listedAfterMs: number;
  /** What each answer adds to the address of a file, another one each time. */
  readonly signs: "nothing" | Signature;
}

export interface Signature {
  /** `amazon`: with the fields of S3. `unnamed`: nothing says that it is one, or when it ends. */
  readonly as: "exp-sig" | "amazon" | "unnamed";
  /** How long an address is good for. */
  readonly seconds: number;
  /** Whether files are shown without it, too. */
  readonly asks: boolean;
}

export interface PostsDialect {
  readonly body: "html" | "content" | "body" | "text";
  /** What becomes of a post that has no text under that name; one that is taken is listed with `html`. */
  readonly textless: "refused" | "taken";
  readonly blogName: "name" | "title";
  readonly duplicates: "accepted" | "409";
  readonly lists: "all" | "id-and-title";
  /** Whether lists and answers name the public address of a post. */
  readonly tells: "nothing" | "url";
  readonly slugs: "given" | "from-title";
  readonly created: 200 | 201 | 202;
  /** What a post that was sent to be published becomes. */
  readonly kept: "published" | "draft";
}

export interface ListsDialect {
  readonly shape: "bare" | "data" | "named" | "items";
  /** `page-unsaid` and `offset-unsaid`: nothing in a part says that others follow. `cut`: nothing brings them. */
  readonly paging: "none" | "page-number" | "cursor" | "link-header" | "page-unsaid" | "offset-unsaid" | "cut";
  /** `times-too`: of pages also when they were last changed. */
  readonly fields: "all" | "few" | "times-too";
  readonly otherQuery: "ignored" | "refused";
  /** How late the lists of sites and brand kits show a record that was made. */
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
  /** Status of a request whose body has the wrong form or lacks a field. */
  readonly wrongForm: 400 | 415;
  readonly missingField: 400 | 422;
  /** What stands around the JSON of an answer, be it a record or a list. */
  readonly envelope: "none" | "ok-result" | "success-data";
  readonly errors: "message" | "nested" | "list" | "problem" | "html" | "text" | "in-200" | "ok-false";
  /** How a key is refused that it doesn't know. */
  readonly refusesKeys: "401" | "404" | "with its sign-in page" | "by a redirect";
  readonly areas: Partial<Readonly<Record<Area, Refusal>>>;
  readonly ids: "text" | "numbers";
  readonly brandColors: "any" | "list";
  readonly rate: { readonly perSecond: number; readonly retryAfter: "told" | "not-told" } | undefined;
  readonly latencyMs: number;
  readonly idempotency: "ignored" | "replayed" | "replayed-and-marked";
  /** Records of somebody else that the account holds before, so that lists have pages. */
  readonly foreign: number;
  /** Whether the user has to say where pages are shown, since the host never does. */
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
  envelope: "none",
  errors: "message",
  refusesKeys: "401",
  areas: {},
  ids: "text",
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
  shownAt: "/p/{slug}",
  shownOn: "api-port",
  visitors: "all",
  leadsOn: "never",
  appearsAfterMs: 0,
  changesAfterMs: 0,
  readsAppearLate: false,
  tells: "edit",
  becomes: "published",
  keeps: "as-sent",
  shows: "all",
  reads: "html",
  slugs: undefined,
  reserved: [],
  folds: "nothing",
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
  signs: "nothing",
};

const POSTS: PostsDialect = {
  body: "html",
  textless: "refused",
  blogName: "name",
  duplicates: "accepted",
  lists: "all",
  tells: "nothing",
  slugs: "given",
  created: 201,
  kept: "published",
};

const LISTS: ListsDialect = { shape: "data", paging: "none", fields: "all", otherQuery: "ignored", recordsAfterMs: 0 };

/** A reading of route set A: the plain one but for what differs. */
export function dialectA(name: string, differences: Differences = {}): Dialect {
  return withDifferences(
    { ...COMMON, name, routeSet: "a", pages: PAGES, library: LIBRARY, posts: POSTS, lists: LISTS },
    differences,
  );
}

/** A reading of route set B, where `url` is the public address as the specification shows. */
export function dialectB(name: string, differences: Differences = {}): Dialect {
  const pages: PagesDialect = { ...PAGES, tells: "url" };
  return withDifferences(
    { ...COMMON, name, routeSet: "b", pages, library: LIBRARY, posts: POSTS, lists: LISTS },
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
