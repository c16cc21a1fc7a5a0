import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { PageAddress, PageRecord } from "../../contract/records.ts";
import { createList, deleteRecord, updateRows } from "./rows.ts";
import { createStatement, excluded, likePattern, parametersFor, textsIn, type ParameterOf } from "./database.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { readSorted, type SortedSlice, type SortedWindow } from "./sorted.ts";
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
}

export interface PageKey {
  readonly accountId: string;
  readonly slug: string;
}

/** Returns a page as published, or a draft. */
export async function findPage(database: Database, key: PageKey): Promise<Page | undefined> {
  const [waiting] = await selectWaiting(database, key);
  const [row] = waiting !== undefined && waiting.contentHash === null ? [] : await selectPage(database, key);
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

const selectPage = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .selectAll()
    .where("accountId", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug")),
);

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

/** Returns a page's own row, regardless of releases. */
export async function findPageRow(database: Database, key: PageKey): Promise<Page | undefined> {
  const [row] = await selectPage(database, key);
  return row;
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

/** A published page with its HTML. */
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
export async function listNotFoundPages(
  database: Database,
  accountId: string,
): Promise<readonly { readonly slug: string; readonly siteId: string | null }[]> {
  return await database
    .selectFrom("page")
    .select(["slug", "siteId"])
    .where("accountId", "=", accountId)
    .where("status", "=", "published")
    .where((build) => build.or([build("slug", "=", "404"), build("slug", "like", "%-404")]))
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

export async function listPages(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: PageFilter; readonly window: Window },
): Promise<Slice<Page>> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered) return await listAllPages(database, accountId, window);
  return await readSlice(selectPages(database, accountId, filter), window);
}

const listAllPages = createList("page");

/** Lists pages in a given order. */
export async function listSortedPages(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: PageFilter; readonly window: SortedWindow },
): Promise<SortedSlice<Page>> {
  return await readSorted(selectPages(database, accountId, filter), window);
}

function selectPages(database: Database, accountId: string, filter: PageFilter) {
  let query = database.selectFrom("page").selectAll().where("accountId", "=", accountId);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.siteId !== undefined) query = query.where("siteId", "=", filter.siteId);
  if (filter.updatedSince !== undefined) query = query.where("updatedAt", ">=", filter.updatedSince);
  if (filter.ids !== undefined) query = query.where("id", "in", textsIn(database, filter.ids));
  if (filter.text !== undefined) {
    const pattern = likePattern(filter.text);
    query = query.where(sql<boolean>`(lower(title) like ${pattern} escape '\\' or slug like ${pattern} escape '\\')`);
  }
  return query;
}

const PERMANENT = ["id", "accountId", "slug", "createdAt"] as const;
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
export async function savePage(
  database: Database,
  page: Omit<PageTable, "releaseVersion">,
  before: Page | undefined,
): Promise<void> {
  if (before === undefined) return void (await insertPage(database, page));
  // SQLite rewrites the indexes of every column named in an update, even if its value is the same.
  const changed = CHANGING.filter((name) => page[name] !== before[name]).map((name) => [name, page[name]]);
  await updateRows(database, "page", { match: { id: page.id }, set: Object.fromEntries(changed) });
}

const insertPage = createStatement<Omit<PageTable, "releaseVersion">>()((database, parameter) =>
  database.insertInto("page").values(parametersFor(parameter, [...PERMANENT, ...CHANGING])),
);

/** Inserts a page of a release, or replaces the record with the same id. Its HTML is the release's content. */
export const saveReleasedPage = createStatement<PageTable>()((database, parameter) =>
  database
    .insertInto("page")
    .values(parametersFor(parameter, [...PERMANENT, ...CHANGING, "releaseVersion"]))
    .onConflict((conflict) => conflict.column("id").doUpdateSet(excluded([...CHANGING, "releaseVersion"]))),
);

/** Stores a page's HTML, replacing any earlier HTML. */
export const writePageHtml = createStatement<{ readonly pageId: string; readonly html: Uint8Array }>()(
  (database, parameter) =>
    database
      .insertInto("pageHtml")
      .values({ pageId: parameter("pageId"), html: parameter("html") })
      .onConflict((conflict) => conflict.column("pageId").doUpdateSet(({ ref }) => ({ html: ref("excluded.html") }))),
);

/** Moves a page's view counts when its site changes. */
export async function noteMove(
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
  await database
    .insertInto("deletedPage")
    .values({ accountId, slug, deletedAt })
    .onConflict((conflict) => conflict.columns(["accountId", "slug"]).doUpdateSet({ deletedAt }))
    .execute();
}

function toOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // SQLite returns a separate buffer, which the type doesn't show. Any other kind is copied.
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}
