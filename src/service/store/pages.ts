import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { PageAddress, PageRecord } from "../../contract/records.ts";
import { deleteRecord, findRow } from "./rows.ts";
import { createStatement, excluded, likePattern, parametersFor } from "./database.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database } from "./tables.ts";

export type Page = InMemory<Omit<PageRecord, PageAddress | "html">>;

export interface PageTable extends Page {
  readonly accountId: string;
}

export interface PageFilter {
  readonly status?: "draft" | "published" | undefined;
  readonly siteId?: string | undefined;
  /** Part of the title or slug. */
  readonly text?: string | undefined;
  readonly updatedSince?: Date | undefined;
}

export interface PageKey {
  readonly accountId: string;
  readonly slug: string;
}

export async function findPage(database: Database, key: PageKey): Promise<Page | undefined> {
  const [row] = await selectPage(database, key);
  return row;
}

const selectPage = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .selectAll()
    .where("accountId", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug")),
);

/** What an address holds before something is written to it. */
export interface PageScene {
  readonly page: Page | undefined;
  /** Whether the page uses assets. */
  readonly hasAssets: boolean;
  /** Whether forms are known at the address, open or closed. */
  readonly hasForms: boolean;
}

export async function findPageScene(database: Database, key: PageKey): Promise<PageScene> {
  const [row] = await selectPageScene(database, key);
  // The address of a page that is gone may have forms still.
  if (row === undefined) return { page: undefined, hasAssets: false, hasForms: true };
  const { anAsset, aForm, ...page } = row;
  return { page, hasAssets: anAsset !== null, hasForms: aForm !== null };
}

const selectPageScene = createStatement<PageKey>()((database, parameter) =>
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
    ])
    .where("accountId", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug")),
);

/** What is published at an address: these three together never stand for anything else. */
export type PublishedState = Pick<Page, "id" | "version" | "contentHash">;

/** What readers get of a page, in one look. */
export interface PublishedPage extends PublishedState {
  readonly html: Uint8Array<ArrayBuffer>;
}

/** The state of a page as readers see it; `undefined` when there is none or it is a draft. */
export async function findPublishedState(database: Database, key: PageKey): Promise<PublishedState | undefined> {
  const [state] = await selectPublishedState(database, key);
  return state;
}

/** A page as readers see it; `undefined` when there is none or it is a draft. */
export async function readPublishedPage(database: Database, key: PageKey): Promise<PublishedPage | undefined> {
  const [row] = await selectPublishedPage(database, key);
  return row && { ...row, html: toOwnBuffer(row.html) };
}

const selectPublishedState = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .select(["id", "version", "contentHash"])
    .where("accountId", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug"))
    .where("status", "=", "published"),
);

const selectPublishedPage = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .innerJoin("pageHtml", "pageHtml.pageId", "page.id")
    .select(["page.id", "page.version", "page.contentHash", "pageHtml.html"])
    .where("page.accountId", "=", parameter("accountId"))
    .where("page.slug", "=", parameter("slug"))
    .where("page.status", "=", "published"),
);

/** The published pages that sites show for addresses they don't have: `404`, `docs-404`. */
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

// One for each site and language.
const MAX_NOT_FOUND_PAGES = 200;

export async function readPageHtml(database: Database, id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await findRow(database, "pageHtml", { pageId: id });
  return row && toOwnBuffer(row.html);
}

export async function listPages(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: PageFilter; readonly window: Window },
): Promise<Slice<Page>> {
  let query = database.selectFrom("page").selectAll().where("accountId", "=", accountId);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.siteId !== undefined) query = query.where("siteId", "=", filter.siteId);
  if (filter.updatedSince !== undefined) query = query.where("updatedAt", ">=", filter.updatedSince);
  if (filter.text !== undefined) {
    const pattern = likePattern(filter.text);
    query = query.where(sql<boolean>`(lower(title) like ${pattern} escape '\\' or slug like ${pattern} escape '\\')`);
  }
  return await readSlice(query, window);
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

/** Inserts a page, or replaces the record with the same id. Its HTML is written apart, see `writePageHtml`. */
export const savePage = createStatement<PageTable>()((database, parameter) =>
  database
    .insertInto("page")
    .values(parametersFor(parameter, [...PERMANENT, ...CHANGING]))
    // What never changes stays out of the update, since SQLite would write its indexes again.
    .onConflict((conflict) => conflict.column("id").doUpdateSet(excluded(CHANGING))),
);

/** Stores a page's HTML in place of what was stored before. */
export const writePageHtml = createStatement<{ readonly pageId: string; readonly html: Uint8Array }>()(
  (database, parameter) =>
    database
      .insertInto("pageHtml")
      .values({ pageId: parameter("pageId"), html: parameter("html") })
      .onConflict((conflict) => conflict.column("pageId").doUpdateSet(({ ref }) => ({ html: ref("excluded.html") }))),
);

/** Deletes a page and remembers that its address was in use. */
export async function deletePage(
  database: Database,
  { accountId, id, slug }: PageKey & Pick<Page, "id">,
  deletedAt: Date,
): Promise<void> {
  await deleteRecord(database, "page", { id });
  await database
    .insertInto("deletedPage")
    .values({ accountId, slug, deletedAt })
    .onConflict((conflict) => conflict.columns(["accountId", "slug"]).doUpdateSet({ deletedAt }))
    .execute();
}

function toOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // SQLite gives a buffer of its own, which the type does not show; another kind would be copied.
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}
