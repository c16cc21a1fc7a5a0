import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/** How many records to fill a database with. */
export interface Amounts {
  readonly pages: number;
  readonly submissions: number;
  /** Events, and as many rows of views per hour. */
  readonly events: number;
  readonly requests: number;
}

export const SITES = 20;
/** Maximum age of events, so that half of them expire when the clock is moved by half of it. */
export const EVENT_DAYS = 20;
const STATS_DAYS = 400;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PAGE_BYTES = 8000;
const PAGES_WITH_FORM = 10;

/** Fills the database of a service that was started once and isn't running. */
export function fill(path: string, amounts: Amounts): void {
  const database = new DatabaseSync(path);
  // Not durable, as a partially filled database is useless.
  database.exec("pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -400000");
  const account = String(database.prepare("select id from account").get()?.["id"]);
  const now = Date.now();
  const filling = { database, account, now };
  for (const [name, work] of Object.entries({ pages, visits, events, submissions, requests })) {
    const started = performance.now();
    database.exec("begin immediate");
    work(filling, amounts);
    database.exec("commit");
    console.log(`  ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  database.exec("analyze; pragma wal_checkpoint(truncate)");
  database.close();
}

interface Filling {
  readonly database: DatabaseSync;
  readonly account: string;
  readonly now: number;
}

const NEW_ID = "lower(hex(randomblob(11)))";
const count = (rows: number) => `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows - 1})`;
/** SQL for a random integer from 0 to below the limit. */
const below = (limit: number | string) => `abs(random() % ${limit})`;

export function pageHtml(number: number): string {
  const form = `<form><label>Email <input type="email" name="email"></label><button>Send</button></form>`;
  const text = `<p>Paragraph of page ${number}, with <a href="/p/page-${number + 1}">a link</a> to the next one.</p>\n`;
  const body = text.repeat(Math.ceil(PAGE_BYTES / text.length)) + (number % PAGES_WITH_FORM === 0 ? form : "");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title></head><body>${body}</body></html>`;
}

function pages({ database, account, now }: Filling, amounts: Amounts): void {
  database.exec(`${count(SITES)} insert into site (id, account_id, name, slug, version, created_at, updated_at)
    select 'st_' || ${NEW_ID}, '${account}', 'Site ' || i, 'site-' || i, 1, ${now}, ${now} from n`);
  const sites = database.prepare("select id from site").all();
  const insertPage =
    database.prepare(`insert into page (id, account_id, slug, title, status, site_id, content_hash, bytes,
    version, created_at, updated_at, published_at)
    values ('pg_' || ${NEW_ID}, ?, ?, ?, 'published', ?, ?, ?, 1, ?, ?, ?) returning id`);
  const insertHtml = database.prepare("insert into page_html (page_id, html) values (?, ?)");
  for (let number = 0; number < amounts.pages; number++) {
    const html = Buffer.from(pageHtml(number));
    const hash = createHash("sha256").update(html).digest("hex");
    const at = now - Math.round((1 - number / amounts.pages) * STATS_DAYS * DAY_MS);
    const site = String(sites[number % SITES]?.["id"]);
    const titled = [account, `page-${number}`, `Page ${number}`] as const;
    const page = insertPage.get(...titled, site, hash, html.length, at, at, at);
    insertHtml.run(String(page?.["id"]), html);
  }
  database.exec(`insert into form (id, account_id, page_id, page_slug, action_slug, name, position, fields, open, created_at)
    select 'fm_' || ${NEW_ID}, account_id, id, slug, slug, 'form-1', 0,
    '[{"name":"email","type":"email","required":false}]', 1, created_at
    from page where cast(substr(slug, 6) as integer) % ${PAGES_WITH_FORM} = 0`);
}

/** Inserts visits as versions before daily sums did. */
function visits({ database, account, now }: Filling, { events, pages }: Amounts): void {
  const hour = now - (now % HOUR_MS);
  const day = now - (now % DAY_MS);
  const perPage = Math.ceil(events / pages);
  database.exec(`${count(perPage)} insert or ignore into view_hour
    select id, 1, ${hour} - ${below(STATS_DAYS * 24)} * ${HOUR_MS},
    case ${below(10)} when 0 then 'tablet' when 1 then 'mobile' when 2 then 'mobile' else 'desktop' end,
    1 + ${below(9)}, 1, ${below(100)}, ${below(101)}, ${below(3)} from (select id from page order by id), n`);
  database.exec(`${count(Math.ceil(perPage / 4))} insert or ignore into referrer_day
    select id, ${day} - ${below(STATS_DAYS)} * ${DAY_MS}, 'host-' || ${below(50)} || '.example', 1 + ${below(9)}
    from (select id from page order by id), n`);
  database.exec("insert into uncounted_page (page_id) select id from page");
  const scopes = `(select '${account}' as id union all select id from site)`;
  database.exec(`${count(STATS_DAYS * 24)} insert into visitor_count
    select id, ${hour} - ${HOUR_MS} * (i + 24), 1 + ${below(500)} from ${scopes}, n`);
}

function events({ database, account, now }: Filling, { events, pages }: Amounts): void {
  database.exec("create temp table known as select id, slug from page");
  const data = `json_object('id', id, 'slug', slug, 'url', 'http://127.0.0.1:4401/p/' || slug, 'title', 'Page', 'version', 1)`;
  const spanMs = EVENT_DAYS * DAY_MS;
  database.exec(`${count(events)}, drawn as materialized (select i, 1 + ${below(pages)} as place from n)
    insert into event (id, account_id, type, subject, data, created_at)
    select 'evt_' || ${NEW_ID}, '${account}', 'page.updated', id, ${data},
    ${now - spanMs} + cast(${spanMs}.0 * i / ${events} as integer)
    from drawn join known on known.rowid = place`);
}

function submissions({ database, account, now }: Filling, { submissions }: Amounts): void {
  database.exec("create temp table known_form as select id, page_id, page_slug from form");
  const forms = Number(database.prepare("select count(*) as forms from known_form").get()?.["forms"]);
  const spanMs = STATS_DAYS * DAY_MS;
  // Half of all submissions belong to one form, which is the one to export.
  database.exec(`${count(submissions)},
    drawn as materialized (select i, case when i % 2 = 0 then 1 else 1 + ${below(forms)} end as place from n)
    insert into submission (id, account_id, form_id, page_id, page_slug, fields, email, lead, spam, created_at)
    select 'sb_' || ${NEW_ID}, '${account}', id, page_id, page_slug,
    json_array(json_array('email', 'visitor-' || i || '@example.com'), json_array('message', 'Hello, this is number ' || i)),
    'visitor-' || i || '@example.com', 1, 0, ${now - spanMs} + cast(${spanMs}.0 * i / ${submissions} as integer)
    from drawn join known_form on known_form.rowid = place`);
}

function requests({ database, account, now }: Filling, { requests }: Amounts): void {
  const spanMs = 6 * DAY_MS;
  database.exec(`${count(requests)}
    insert into request_log (id, account_id, request_id, method, path, route_set, operation, status, ms, warnings, created_at)
    select 'log_' || ${NEW_ID}, '${account}', ${NEW_ID}, 'GET', '/api/pages/page-' || i, 'a', 'pages.get', 200, 1.5, '[]',
    ${now - spanMs} + cast(${spanMs}.0 * i / ${requests} as integer) from n`);
}
