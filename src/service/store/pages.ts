import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { PageAddress, PageRecord } from "../../contract/records.ts";
import { deleteRecord, findRow, given, insertRow, putRow, selectRows, updateRows } from "./rows.ts";
import { createStatement, likePattern, textsIn, type ParameterOf } from "./database.ts";
import { inWindow, readSlice, toSlice, type Position, type Slice, type Window } from "./keyset.ts";
import { isInPart, type PagesPart } from "./preview-slugs.ts";
import type { Database } from "./tables.ts";
import { moveViews, type ScopesChange } from "./views-by-day.ts";
import { forgetVisitsOf, moveVisits } from "./visit-counts.ts";

export type Page = InMemory<Omit<PageRecord, PageAddress | "html">>;

export interface PageTable extends Page {
  readonly accountId: string;
  /** The version that a release gave it; `null` if the page was never in one. */
  readonly releaseVersion: number | null;
}

export interface PageFilter {
  readonly status?: "draft" | "published" | undefined;
  readonly siteId?: string | undefined;
  /** Part of the title or slug. */
  readonly text?: string | undefined;
  readonly updatedSince?: Date | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Default: all. */
  readonly part?: PagesPart | undefined;
}

export interface PageKey {
  readonly accountId: string;
  readonly slug: string;
}

/** Returns a page as published, or a draft. */
export async function findPage(database: Database, key: PageKey): Promise<Page | undefined> {
  const [waiting] = await selectWaiting(database, key);
  const isRemoved = waiting !== undefined && waiting.contentHash === null;
  const row = isRemoved ? undefined : await findRow(database, "page", key);
  return waiting === undefined ? row : pageOfWaiting(waiting, { slug: key.slug, row });
}

/** State of a page in a published release, if nothing has written the page since. */
type WaitingPage = Pick<Page, "id" | "title" | "description" | "bytes" | "version" | "siteId"> & {
  readonly contentHash: string | null;
  readonly publishedAt: Date | null;
};

function pageOfWaiting(
  waiting: WaitingPage,
  { slug, row }: { readonly slug: string; readonly row: Page | undefined },
): Page | undefined {
  const { contentHash, publishedAt } = waiting;
  if (contentHash === null || publishedAt === null) return undefined;
  return {
    ...waiting,
    slug,
    contentHash,
    status: "published",
    createdAt: row?.createdAt ?? publishedAt,
    updatedAt: publishedAt,
    publishedAt: row?.publishedAt ?? publishedAt,
  };
}

const selectWaiting = createStatement<PageKey>()((database, parameter) =>
  waitingPages(database, parameter)
    .select(["releasePage.pageId as id", "releasePage.title", "releasePage.description", "releasePage.bytes"])
    .select(["releasePage.version", "releasePage.contentHash", "release.siteId", "release.publishedAt"]),
);

// A release takes effect when it is published, but its pages' rows are written a little later. A row edited since then
// has another version and takes precedence.
function waitingPages(database: Database, parameter: ParameterOf<PageKey>) {
  return database
    .selectFrom("releasePage")
    .innerJoin("release", "release.id", "releasePage.releaseId")
    .where("releasePage.accountId", "=", parameter("accountId"))
    .where("releasePage.slug", "=", parameter("slug"))
    .where(sql<boolean>`release_page.pending = 1 and release.state = 'published'`)
    .where(
      sql<boolean>`release_page.base_version = coalesce((select page.version from page
        where page.account_id = release_page.account_id and page.slug = release_page.slug), 0)`,
    );
}

/** Returns the page that a published release has yet to write at a slug. */
export async function findWaitingPage(database: Database, key: PageKey): Promise<WaitingPage | undefined> {
  const [waiting] = await selectWaiting(database, key);
  return waiting;
}

/** State of a slug before a write. */
export interface PageSnapshot {
  readonly page: Page | undefined;
  /** Whether the page uses assets. */
  readonly hasAssets: boolean;
  /** Whether the slug has any forms, open or closed. */
  readonly hasForms: boolean;
  /** Whether a published release has yet to write the page. */
  readonly isWaiting: boolean;
}

export async function findPageSnapshot(database: Database, key: PageKey): Promise<PageSnapshot> {
  const [row] = await selectPageSnapshot(database, key);
  if (row === undefined) {
    const isWaiting = (await selectWaiting(database, key)).length > 0;
    // The slug of a deleted page may still have forms.
    return { page: undefined, hasAssets: false, hasForms: true, isWaiting };
  }
  const { anAsset, aForm, aRelease, ...page } = row;
  return { page, hasAssets: anAsset !== null, hasForms: aForm !== null, isWaiting: aRelease !== null };
}

const selectPageSnapshot = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .selectAll()
    .select(({ selectFrom }) => [
      selectFrom("pageAsset").select("assetId").whereRef("pageId", "=", "page.id").limit(1).as("anAsset"),
      selectFrom("form")
        .select("form.id")
        .whereRef("form.accountId", "=", "page.accountId")
        .whereRef("form.pageSlug", "=", "page.slug")
        .limit(1)
        .as("aForm"),
      selectFrom("releasePage")
        .innerJoin("release", "release.id", "releasePage.releaseId")
        .select("release.id")
        .whereRef("releasePage.accountId", "=", "page.accountId")
        .whereRef("releasePage.slug", "=", "page.slug")
        .where(sql<boolean>`release_page.pending = 1 and release.state = 'published'`)
        .limit(1)
        .as("aRelease"),
    ])
    .where("accountId", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug")),
);

/** Identifies published content: the combination of these three is never reused. */
export type PublishedState = Pick<Page, "id" | "version" | "contentHash">;

export interface PublishedPage extends PublishedState {
  readonly html: Uint8Array<ArrayBuffer>;
}

/** Returns the published state of a page; `undefined` if there is none or it is a draft. */
export async function findPublishedState(database: Database, key: PageKey): Promise<PublishedState | undefined> {
  const states = await selectPublishedState(database, key);
  const { id, version, contentHash } = states.find(({ waits }) => waits === 1) ?? states[0] ?? { contentHash: null };
  return contentHash === null || id === undefined ? undefined : { id, version, contentHash };
}

/** Reads a published page; `undefined` if there is none or it is a draft. */
export async function readPublishedPage(database: Database, key: PageKey): Promise<PublishedPage | undefined> {
  for (let attempt = 1; ; attempt++) {
    const state = await findPublishedState(database, key);
    if (state === undefined) return undefined;
    const html = await readPageHtml(database, { ...state, accountId: key.accountId });
    if (html !== undefined) return { ...state, html };
    // The page changed between the two reads.
    if (attempt === MAX_LOOKS) return undefined;
  }
}

const MAX_LOOKS = 10;

const selectPublishedState = createStatement<PageKey>()((database, parameter) =>
  waitingPages(database, parameter)
    .select(["releasePage.pageId as id", "releasePage.version", "releasePage.contentHash", sql<number>`1`.as("waits")])
    .unionAll(
      database
        .selectFrom("page")
        .select(["id", "version", "contentHash", sql<number>`0`.as("waits")])
        .where("accountId", "=", parameter("accountId"))
        .where("slug", "=", parameter("slug"))
        .where("status", "=", "published"),
    ),
);

/** Lists the published pages that sites show for missing URLs: `404`, `docs-404`. */
export async function listNotFoundPages(database: Database, accountId: string) {
  return await selectRows(database, "page", { accountId, status: "published" })
    .select(["slug", "siteId"])
    .where(sql<boolean>`(slug = '404' or slug like '%-404')`)
    .limit(MAX_NOT_FOUND_PAGES)
    .execute();
}

// One per site and language.
const MAX_NOT_FOUND_PAGES = 200;

/** Returns the HTML of a page in a given state; `undefined` if the page has changed since. */
export async function readPageHtml(
  database: Database,
  key: Pick<Page, "id" | "contentHash"> & { readonly accountId: string },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [own] = await selectOwnHtml(database, key);
  const [row] = own === undefined ? await selectContent(database, key) : [own];
  return row && toOwnBuffer(row.html);
}

const selectOwnHtml = createStatement<Pick<Page, "id" | "contentHash">>()((database, parameter) =>
  database
    .selectFrom("pageHtml")
    .innerJoin("page", "page.id", "pageHtml.pageId")
    .select("pageHtml.html")
    .where("pageHtml.pageId", "=", parameter("id"))
    .where("page.contentHash", "=", parameter("contentHash")),
);

const selectContent = createStatement<Pick<PageTable, "accountId" | "contentHash">>()((database, parameter) =>
  database
    .selectFrom("content")
    .select("body as html")
    .where("accountId", "=", parameter("accountId"))
    .where("hash", "=", parameter("contentHash")),
);

/** Lists pages, by default newest first. */
export async function listPages(
  database: Database,
  accountId: string,
  { filter = {}, window }: { readonly filter?: PageFilter; readonly window: Window },
): Promise<Slice<Page>> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered || window.sort !== undefined || window.visibleUntil !== undefined) {
    return await readSlice(selectPages(database, accountId, filter), window);
  }
  const { after, limit } = window;
  // Built once: building a query takes longer than reading a hundred rows.
  const rows = await (after === undefined
    ? selectNewest(database, { accountId, limit: limit + 1 })
    : selectOlder(database, { accountId, limit: limit + 1, ...after }));
  return toSlice(rows, limit);
}

const selectNewest = createStatement<NewestPages>()((database, parameter) => newestPages(database, parameter));

const selectOlder = createStatement<NewestPages & Position>()((database, parameter) =>
  newestPages(database, parameter).where(inWindow({ after: { key: parameter("key"), id: parameter("id") } })),
);

interface NewestPages {
  readonly accountId: string;
  readonly limit: number;
}

function newestPages(database: Database, parameter: ParameterOf<NewestPages>) {
  return database
    .selectFrom("page")
    .selectAll()
    .where("accountId", "=", parameter("accountId"))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(parameter("limit"));
}

function selectPages(database: Database, accountId: string, filter: PageFilter) {
  const { status, siteId, text, updatedSince, ids, part } = filter;
  let query = selectRows(database, "page", { accountId, ...given({ status, siteId }) }).selectAll();
  if (part !== undefined) query = query.where(isInPart("slug", part));
  if (updatedSince !== undefined) query = query.where("updatedAt", ">=", updatedSince);
  if (ids !== undefined) query = query.where("id", "in", textsIn(database, ids));
  if (text !== undefined) {
    const pattern = likePattern(text);
    query = query.where(sql<boolean>`(lower(title) like ${pattern} escape '\\' or slug like ${pattern} escape '\\')`);
  }
  return query;
}

const CHANGING = [
  "title",
  "status",
  "siteId",
  "description",
  "contentHash",
  "bytes",
  "version",
  "updatedAt",
  "publishedAt",
] as const;

/** Inserts a page, or updates the columns that changed. `writePageHtml` writes its HTML. */
export async function savePage(database: Database, page: Omit<PageTable, "releaseVersion">, before: Page | undefined) {
  if (before === undefined) return await insertRow(database, "page", { ...page, releaseVersion: null });
  // SQLite rewrites the indexes of every column named in an update, even if its value is the same.
  const changed = CHANGING.filter((name) => page[name] !== before[name]).map((name) => [name, page[name]]);
  await updateRows(database, "page", { match: { id: page.id }, set: Object.fromEntries(changed) });
}

/** Moves a page's view counts when its site changes. */
export async function recordMove(
  database: Database,
  before: Pick<Page, "siteId"> | undefined,
  { id, siteId }: Pick<Page, "id" | "siteId">,
): Promise<void> {
  if (before === undefined || before.siteId === siteId) return;
  await moveNumbers(database, id, { from: [before.siteId], to: [siteId] });
}

async function moveNumbers(database: Database, id: string, change: ScopesChange): Promise<void> {
  await moveViews(database, id, change);
  await moveVisits(database, id, change);
}

/** Deletes a page and remembers that its slug was in use. */
export async function deletePage(
  database: Database,
  { accountId, id, slug, siteId }: PageKey & Pick<Page, "id" | "siteId">,
  deletedAt: Date,
): Promise<void> {
  await moveNumbers(database, id, { from: [siteId, accountId], to: [] });
  await forgetVisitsOf(database, id);
  await deleteRecord(database, "page", { id });
  await putRow(database, "deletedPage", { key: { accountId, slug }, set: { deletedAt } });
}

function toOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // SQLite returns a separate buffer, which the type doesn't show. Any other kind is copied.
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}
