import { sql, type Selectable } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { PageRecord } from "../../contract/records.ts";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { likePattern } from "./like.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement } from "./statement.ts";
import type { Database, PageTable } from "./tables.ts";

export type Page = InMemory<Omit<PageRecord, "url" | "editUrl" | "publicUrl" | "html">>;

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
  return row && toPage(row);
}

const selectPage = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .selectAll()
    .where("account_id", "=", parameter("accountId"))
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
  return { page: toPage(row), hasAssets: row.an_asset !== null, hasForms: row.a_form !== null };
}

const selectPageScene = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .selectAll()
    .select(({ selectFrom }) => [
      selectFrom("page_asset").select("asset_id").whereRef("page_id", "=", "page.id").limit(1).as("an_asset"),
      selectFrom("form")
        .select("form.id")
        .whereRef("form.account_id", "=", "page.account_id")
        .whereRef("form.page_slug", "=", "page.slug")
        .limit(1)
        .as("a_form"),
    ])
    .where("account_id", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug")),
);

export async function findPageById(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Page | undefined> {
  const row = await database
    .selectFrom("page")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toPage(row);
}

/** What is published at an address: these three together never stand for anything else. */
export interface PublishedState {
  readonly id: string;
  readonly version: number;
  readonly contentHash: string;
}

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
  return row && { id: row.id, version: row.version, html: toOwnBuffer(row.html), contentHash: row.content_hash };
}

const selectPublishedState = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .select(["id", "version", "content_hash as contentHash"])
    .where("account_id", "=", parameter("accountId"))
    .where("slug", "=", parameter("slug"))
    .where("status", "=", "published"),
);

const selectPublishedPage = createStatement<PageKey>()((database, parameter) =>
  database
    .selectFrom("page")
    .innerJoin("page_html", "page_html.page_id", "page.id")
    .select(["page.id", "page.version", "page.content_hash", "page_html.html"])
    .where("page.account_id", "=", parameter("accountId"))
    .where("page.slug", "=", parameter("slug"))
    .where("page.status", "=", "published"),
);

export async function readPageHtml(database: Database, id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await database.selectFrom("page_html").select("html").where("page_id", "=", id).executeTakeFirst();
  return row && toOwnBuffer(row.html);
}

export async function listPages(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: PageFilter; readonly window: Window },
): Promise<Slice<Page>> {
  let query = database.selectFrom("page").selectAll().where("account_id", "=", accountId);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.siteId !== undefined) query = query.where("site_id", "=", filter.siteId);
  if (filter.updatedSince !== undefined) query = query.where("updated_at", ">=", filter.updatedSince.getTime());
  if (filter.text !== undefined) {
    const pattern = likePattern(filter.text);
    query = query.where(sql<boolean>`(lower(title) like ${pattern} escape '\\' or slug like ${pattern} escape '\\')`);
  }
  return await readSlice(query, window, toPage);
}

export async function countPages(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("page")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a page, or replaces the record with the same id. Its HTML is written apart, see `writePageHtml`. */
export async function savePage(database: Database, accountId: string, page: Page): Promise<void> {
  await upsertPage(database, fromPage(accountId, page));
}

const upsertPage = createStatement<PageTable>()((database, parameter) =>
  database
    .insertInto("page")
    .values({
      id: parameter("id"),
      account_id: parameter("account_id"),
      slug: parameter("slug"),
      title: parameter("title"),
      status: parameter("status"),
      site_id: parameter("site_id"),
      description: parameter("description"),
      content_hash: parameter("content_hash"),
      bytes: parameter("bytes"),
      version: parameter("version"),
      created_at: parameter("created_at"),
      updated_at: parameter("updated_at"),
      published_at: parameter("published_at"),
    })
    .onConflict((conflict) =>
      // What never changes stays out of the update, since SQLite would write its indexes anew.
      conflict.column("id").doUpdateSet(({ ref }) => ({
        title: ref("excluded.title"),
        status: ref("excluded.status"),
        site_id: ref("excluded.site_id"),
        description: ref("excluded.description"),
        content_hash: ref("excluded.content_hash"),
        bytes: ref("excluded.bytes"),
        version: ref("excluded.version"),
        updated_at: ref("excluded.updated_at"),
        published_at: ref("excluded.published_at"),
      })),
    ),
);

/** Stores a page's HTML in place of what was stored before. */
export async function writePageHtml(database: Database, pageId: string, html: Uint8Array): Promise<void> {
  await upsertPageHtml(database, { pageId, html });
}

const upsertPageHtml = createStatement<{ readonly pageId: string; readonly html: Uint8Array }>()(
  (database, parameter) =>
    database
      .insertInto("page_html")
      .values({ page_id: parameter("pageId"), html: parameter("html") })
      .onConflict((conflict) => conflict.column("page_id").doUpdateSet(({ ref }) => ({ html: ref("excluded.html") }))),
);

/** Deletes a page and remembers that its address was in use. */
export async function deletePage(
  database: Database,
  { accountId, id, slug }: PageKey & Pick<Page, "id">,
  deletedAt: Date,
): Promise<void> {
  await database.deleteFrom("page").where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
  await database
    .insertInto("deleted_page")
    .values({ account_id: accountId, slug, deleted_at: deletedAt.getTime() })
    .onConflict((conflict) => conflict.columns(["account_id", "slug"]).doUpdateSet({ deleted_at: deletedAt.getTime() }))
    .execute();
}

export async function forgetDeletedPage(database: Database, { accountId, slug }: PageKey): Promise<void> {
  await database.deleteFrom("deleted_page").where("account_id", "=", accountId).where("slug", "=", slug).execute();
}

export async function isDeletedPage(database: Database, { accountId, slug }: PageKey): Promise<boolean> {
  const row = await database
    .selectFrom("deleted_page")
    .select("slug")
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row !== undefined;
}

function toOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // SQLite gives a buffer of its own, which only the type does not tell; another kind would be copied.
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

function toPage(row: Selectable<PageTable>): Page {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    status: row.status,
    siteId: row.site_id,
    description: row.description,
    contentHash: row.content_hash,
    bytes: row.bytes,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    publishedAt: row.published_at === null ? null : new Date(row.published_at),
  };
}

function fromPage(accountId: string, page: Page): PageTable {
  return {
    id: page.id,
    account_id: accountId,
    slug: page.slug,
    title: page.title,
    status: page.status,
    site_id: page.siteId,
    description: page.description,
    content_hash: page.contentHash,
    bytes: page.bytes,
    version: page.version,
    created_at: page.createdAt.getTime(),
    updated_at: page.updatedAt.getTime(),
    published_at: page.publishedAt?.getTime() ?? null,
  };
}
