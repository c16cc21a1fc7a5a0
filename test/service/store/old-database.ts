import { mkdir } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { dirname } from "node:path";
import { migrate } from "../../../src/service/store/migrate.ts";

/** The rows of a table: columns and values. */
export type Rows = readonly Readonly<Record<string, string | number | null | Uint8Array>>[];

export const BLOB = new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>");
export const BLOB_HASH = "a87cba1d08bc5397e7f459b9339b2427c42d824e223839840731f0a2cdd42f69";

const TIME = Date.UTC(2026, 2, 4, 5, 6, 7, 8);
const NAMED = { name: "Näme 'quoted'", created_at: TIME };
const CHANGED = { version: 3, created_at: TIME, updated_at: TIME + 1 };
const BYTES = new Uint8Array([0, 255, 10, 13, 34, 92]);

/** One or more rows for every table, by the version that added the table; each after those that it references. */
const ROWS_BY_VERSION: Readonly<Record<number, Readonly<Record<string, Rows>>>> = {
  1: {
    account: [{ id: "acc_1", ...NAMED }],
    api_key: [
      {
        ...{ id: "key_1", account_id: "acc_1", ...NAMED, hash: "h".repeat(64), environment: "live", last_four: "abcd" },
        ...{ scopes: '["pages:read"]', last_used_at: TIME, expires_at: null, revoked_at: null },
      },
    ],
    brand_kit: [
      {
        ...{ id: "bk_1", account_id: "acc_1", name: "Kit", colors: "[]", fonts: "[]", logos: "[]", ...CHANGED },
        source_url: "https://example.org/",
      },
    ],
    site: [
      {
        ...{ id: "st_1", account_id: "acc_1", name: "Site", slug: "site", home_slug: "index", ...CHANGED },
        brand_kit_id: "bk_1",
      },
    ],
    page: [
      {
        ...{ id: "pg_1", account_id: "acc_1", slug: "index", title: "Ünï\u2028code", status: "published", ...CHANGED },
        ...{ site_id: "st_1", description: null, content_hash: "c", bytes: 6, published_at: TIME },
      },
      {
        ...{ id: "pg_2", account_id: "acc_1", slug: "draft", title: "", status: "draft", ...CHANGED },
        ...{ site_id: null, description: "later", content_hash: "d", bytes: 0, published_at: null },
      },
    ],
    page_html: [
      { page_id: "pg_1", html: BYTES },
      { page_id: "pg_2", html: new Uint8Array() },
    ],
    deleted_page: [{ account_id: "acc_1", slug: "gone", deleted_at: TIME }],
    asset: [
      {
        ...{ id: "as_1", account_id: "acc_1", name: "a.svg", content_type: "image/svg+xml", size: BLOB.length },
        ...{ hash: BLOB_HASH, width: 1, height: null, alt: "A", tags: '["t"]', created_at: TIME, updated_at: TIME },
      },
    ],
    page_asset: [{ page_id: "pg_1", asset_id: "as_1" }],
    blog: [
      {
        ...{ id: "bl_1", account_id: "acc_1", name: "Blog", slug: "blog", description: null, site_id: "st_1" },
        ...{ created_at: TIME, updated_at: TIME },
      },
    ],
    post: [
      {
        ...{ id: "po_1", blog_id: "bl_1", slug: "first", copy: 0, title: "First", status: "published", ...CHANGED },
        ...{ published_at: TIME, excerpt: null, cover_image: null, tags: "[]", author: "A", canonical_url: null },
        ...{ content_hash: "c", html: null, markdown: "# One\n\nline two" },
      },
    ],
    idempotent_request: [
      { account_id: "acc_1", route: "POST /a", key: "k", fingerprint: "f", created_at: TIME, answer: "{}" },
    ],
  },
  2: {
    form: [
      {
        ...{
          id: "fm_1",
          account_id: "acc_1",
          page_id: "pg_1",
          page_slug: "index",
          action_slug: "index",
          name: "contact",
        },
        ...{ position: 0, fields: "[]", honeypot: null, open: 1, created_at: TIME },
      },
    ],
    submission: [
      {
        ...{ id: "sb_1", account_id: "acc_1", form_id: "fm_1", page_id: "pg_1", page_slug: "index" },
        ...{ fields: '{"email":"a@example.org"}', email: "a@example.org", lead: 1, spam: 0, created_at: TIME },
      },
    ],
    visitor_salt: [{ day: TIME, salt: BYTES }],
    visitor_seen: [{ scope: "pg_1", day: TIME, visitor: BYTES, hour: TIME }],
    visitor_count: [{ scope: "pg_1", hour: TIME, visitors: 7 }],
    open_view: [
      {
        ...{ id: "view_1", page_id: "pg_1", version: 3, device: "mobile", hour: TIME, depth: null },
        ...{ seconds: 1, clicks: 2, last_message: 1 },
      },
    ],
    view_hour: [
      {
        ...{ page_id: "pg_1", version: 3, hour: TIME, device: "mobile", views: 9, reads: 8, seconds: 70, depth: 600 },
        clicks: 3,
      },
    ],
    referrer_day: [{ page_id: "pg_1", day: TIME, host: "example.org", views: 4 }],
    scroll_day: [{ page_id: "pg_1", day: TIME, version: 3, device: "mobile", depth: 50, views: 4 }],
    click_cell_day: [{ page_id: "pg_1", day: TIME, version: 3, device: "mobile", cell_x: 1, cell_y: 2, clicks: 3 }],
    click_element_day: [{ page_id: "pg_1", day: TIME, version: 3, device: "mobile", selector: "a>b", clicks: 3 }],
    page_layout: [{ page_id: "pg_1", version: 3, device: "mobile", height: 900 }],
  },
  3: {
    event: [
      { id: "evt_1", account_id: "acc_1", type: "page.published", subject: "pg_1", data: "{}", created_at: TIME },
    ],
    webhook: [
      {
        ...{ id: "wh_1", account_id: "acc_1", url: "https://example.org/hook", description: null, events: "[]" },
        ...{ secret: "whsec_x", old_secret: null, old_secret_until: null, disabled_reason: null, failing_since: null },
        ...{ created_at: TIME, updated_at: TIME },
      },
    ],
    delivery: [
      {
        ...{ id: "msg_1", webhook_id: "wh_1", event_id: "evt_1", type: "page.published", payload: "{}" },
        ...{ status: "pending", attempts: 2, next_attempt_at: TIME, lease: null, lease_until: null, created_at: TIME },
        ...{ finished_at: null, last_status: 500, last_ms: 12, last_error: null, last_answer: "no" },
        last_attempt_at: TIME,
      },
    ],
  },
};

/** The schemas that astro-imprint was released with. */
export const RELEASED_SCHEMAS = [1, 2, 3] as const;

/** Creates a database with an old schema and rows in every table; returns the rows. */
export async function makeOldDatabase(path: string, schema: number): Promise<Readonly<Record<string, Rows>>> {
  await mkdir(dirname(path), { recursive: true });
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  const tables: Record<string, Rows> = {};
  try {
    migrate(database, new Date(TIME), schema);
    for (let version = 1; version <= schema; version++) {
      for (const [table, rows] of Object.entries(ROWS_BY_VERSION[version] ?? {})) {
        tables[table] = rows;
        for (const row of rows) insert(database, { table, row });
      }
    }
  } finally {
    database.close();
  }
  return tables;
}

/** Reads these columns of these tables. */
export function readTables(path: string, tables: Readonly<Record<string, Rows>>): Readonly<Record<string, Rows>> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Object.fromEntries(
      Object.entries(tables).map(([table, rows]) => {
        const columns = Object.keys(rows[0] ?? {});
        const list = columns.map((column) => `"${column}"`).join(", ");
        return [
          table,
          database
            .prepare(`select ${list} from "${table}" order by 1`)
            .all()
            .map((row) => ({ ...row })),
        ];
      }),
    ) as Readonly<Record<string, Rows>>;
  } finally {
    database.close();
  }
}

function insert(database: DatabaseSync, { table, row }: { readonly table: string; readonly row: Rows[number] }): void {
  const columns = Object.keys(row);
  const list = columns.map((column) => `"${column}"`).join(", ");
  const places = columns.map(() => "?").join(", ");
  database.prepare(`insert into "${table}" (${list}) values (${places})`).run(...Object.values(row));
}
