import { tidyHtml, titleOf } from "./tidy-html.ts";
import { hashOf, readFields, refuse, renderList, withoutLate, type Answer, type Call, type Fields } from "./wire.ts";
import { publicPageUrl, type PageRecord } from "./world.ts";

export function listPages(call: Call): Answer {
  const all = withoutLate(call, call.world.cachedPages ?? call.world.pages.values());
  const listed = all.filter(({ visibleFrom: from }) => call.dialect.lists.drafts === "shown" || from !== Infinity);
  const shown = listed.map((page) => {
    if (call.dialect.lists.fields === "few") return { id: page.id, slug: page.slug };
    const times = timesOf(page, call);
    const isLate = call.world.now().getTime() - Date.parse(page.updatedAt) < call.dialect.lists.recordsAfterMs;
    const { title } = isLate ? (page.before ?? page) : page;
    return { ...renderPage(call, page), title, ...statusOf(page, call), createdAt: page.createdAt, ...times };
  });
  return renderList(call, "pages", shown);
}

function timesOf({ updatedAt }: PageRecord, { dialect }: Pick<Call, "dialect">): { readonly updatedAt?: string } {
  if (dialect.lists.fields === "times-too") return { updatedAt };
  return dialect.lists.fields === "days-too" ? { updatedAt: updatedAt.slice(0, 10) } : {};
}

export function getPage(call: Call): Answer {
  const { dialect } = call;
  const isNothing = dialect.nothing !== "empty list, 404" && !call.world.pages.has(call.param);
  if (isNothing) return dialect.nothing === "204" ? { status: 204 } : { status: 200, json: { data: null } };
  const page = findPublished(call);
  if (dialect.pages.readsAppearLate && page.visibleFrom > call.world.now().getTime())
    refuse(404, `No page "${page.slug}" yet.`);
  const times = timesOf(page, { dialect });
  const more =
    dialect.lists.fields === "few"
      ? {}
      : { title: page.title, ...statusOf(page, call), createdAt: page.createdAt, ...times };
  const html = dialect.pages.reads === "nothing" ? {} : { html: page.html };
  return { status: 200, json: { ...renderPage(call, page), ...more, ...html }, headers: tagged(call, page) };
}

export function getRawPage(call: Call): Answer {
  const page = findPublished(call);
  const { reads } = call.dialect.pages;
  if (reads === "no-route") refuse(404, "Not found");
  if (reads === "nothing") refuse(403, "Raw pages are not part of your plan.");
  const headers = tagged(call, page);
  if (reads === "json") return { status: 200, json: { id: page.id, slug: page.slug, html: page.html }, headers };
  return { status: 200, text: page.html, headers: { "content-type": "text/html; charset=utf-8", ...headers } };
}

/** `PUT`: creates or updates by slug. */
export async function putPage(call: Call): Promise<Answer> {
  const { dialect, param } = call;
  const slug = foldSlug(call, param);
  const fields = await readFields(call, dialect.pages.putBody);
  refuseExtraFields(call, fields, dialect.routeSet === "a" ? ["html"] : ["html", "title", "slug"]);
  const html = await readHtml(call, fields);
  const known = call.world.pages.get(slug);
  if (known === undefined && dialect.pages.putUnknown === "404") refuse(404, "There is no page with this slug.");
  checkTag(call, known);
  checkVersion(call, known, fields["version"]);
  checkSlug(call, slug);
  checkTitle(call, slug, fields["title"]);
  const page = keepPage(call, { slug, html, title: fields["title"], siteId: fields["siteId"] });
  return answerPage(call, page, known === undefined ? dialect.pages.created : dialect.pages.updated);
}

/** `POST` of route set B: a form with `html` as a file, `title` and `slug`. */
export async function postPage(call: Call): Promise<Answer> {
  const { dialect, world } = call;
  const fields = await readFields(call, "multipart");
  refuseExtraFields(call, fields, ["html", "title", "slug"]);
  for (const name of ["title", "slug"] as const) {
    if (typeof fields[name] !== "string" || fields[name] === "") refuse(dialect.missingField, `"${name}" is missing.`);
  }
  if (!(fields["html"] instanceof File)) refuse(dialect.missingField, `"html" must be an uploaded HTML document.`);
  const html = await readHtml(call, fields);
  const wanted = foldSlug(call, String(fields["slug"]));
  checkSlug(call, wanted);
  if (world.pages.has(wanted) && dialect.pages.taken === "409") refuse(409, `The slug "${wanted}" is taken.`);
  const holder = dialect.pages.taken === "returns it" ? world.pages.get(wanted) : undefined;
  if (holder !== undefined) return answerPage(call, holder, 200);
  const slug = dialect.pages.taken === "suffix" ? freeSlug(call, wanted) : wanted;
  checkTitle(call, slug, fields["title"]);
  const page = keepPage(call, { slug, html, title: fields["title"] });
  return answerPage(call, page, dialect.pages.created);
}

export function deletePage(call: Call): Answer {
  const page = findPage(call);
  checkTag(call, page);
  const { deleted, deletes } = call.dialect.pages;
  if (deletes === "unseen") call.world.copies.set(page.slug, page.html);
  if (deletes === "for good" || deletes === "unseen") call.world.pages.delete(page.slug);
  else {
    const times = deletes === "softly" ? { deletedAt: call.world.now().toISOString() } : {};
    const status = deletes === "softly" ? "published" : deletes === "unpublishes" ? "unpublished" : "deleted";
    const trashed = { status, answers: 404, ...times } as const;
    if (page.trashed !== undefined) refuse(404, `No page "${page.slug}".`);
    call.world.pages.set(page.slug, { ...page, trashed });
  }
  return deleted === 204 ? { status: 204 } : { status: deleted, json: { id: page.id, deleted: true } };
}

function tagged({ dialect, request }: Call, page: PageRecord): Readonly<Record<string, string>> {
  const { tags } = dialect.pages;
  if (tags === "none" || tags === "version" || (isDemanded(tags) && request.method !== "GET")) return {};
  return { etag: tags.startsWith("weak") ? `W/${tagOf(page)}` : tagOf(page) };
}

function isDemanded(tags: Call["dialect"]["pages"]["tags"]): boolean {
  return tags === "required" || tags === "weak-required";
}

function tagOf({ id, html, title, updatedAt }: PageRecord): string {
  return `"${hashOf(Buffer.from(JSON.stringify([id, html, title, updatedAt]))).slice(0, 12)}"`;
}

function checkTag({ dialect, request }: Call, page: PageRecord | undefined): void {
  const { tags } = dialect.pages;
  const asked = request.headers.get("if-match");
  if (tags === "none" || tags === "weak" || tags === "version") return;
  const isNew = request.headers.get("if-none-match") === "*";
  if (isDemanded(tags) && asked === null && !isNew) refuse(428, "If-Match or If-None-Match is required.");
  if (isNew && page !== undefined) refuse(412, "The page exists.");
  const present = page === undefined ? undefined : tags === "unmatched" ? `"${page.writes}"` : tagOf(page);
  if (asked !== null && asked !== (tags === "weak-required" ? `W/${present}` : present))
    refuse(412, "The page has changed.");
}

function checkVersion({ dialect }: Call, page: PageRecord | undefined, sent: unknown): void {
  if (dialect.pages.tags !== "version" || page === undefined) return;
  if (sent === undefined) refuse(dialect.missingField, "version is required to change a page.");
  if (Number(sent) !== page.writes) refuse(409, `The page has version ${page.writes}.`);
}

function findPage(call: Call): PageRecord {
  const { world, param, dialect } = call;
  const { folds, foldsReads } = dialect.pages;
  const page = world.pages.get(foldsReads || folds === "letter case" ? foldSlug(call, param) : param);
  if (page === undefined) refuse(404, dialect.errors === "html" ? "Not found" : `No page "${param}".`);
  return page;
}

function findPublished(call: Call): PageRecord {
  const page = findPage(call);
  const isRefused = page.trashed !== undefined && page.trashed.status !== "unpublished";
  if (isRefused && page.trashed?.deletedAt === undefined)
    refuse(page.trashed.answers, `The page "${page.slug}" is in the trash.`);
  return page;
}

function refuseExtraFields({ dialect }: Call, fields: Fields, known: readonly string[]): void {
  const extra = Object.keys(fields).find((name) => !known.includes(name));
  if (dialect.pages.extraFields === "refused" && extra !== undefined) {
    refuse(dialect.missingField, `Unknown field "${extra}"; known are ${known.join(", ")}.`);
  }
}

async function readHtml({ dialect }: Call, fields: Fields): Promise<string> {
  const sent = fields["html"];
  const html = sent instanceof File ? await sent.text() : sent;
  if (typeof html !== "string" || html === "") refuse(dialect.missingField, `The field "html" is required.`);
  return html;
}

function checkSlug({ dialect }: Call, slug: string): void {
  const { slugs: rule, reserved } = dialect.pages;
  if (reserved.includes(slug)) refuse(dialect.missingField, `The address "${slug}" is reserved.`);
  if (rule === undefined || (slug.length <= rule.maxLength && rule.pattern.test(slug))) return;
  refuse(dialect.missingField, rule.words);
}

function checkTitle({ dialect, world }: Call, slug: string, title: unknown): void {
  const { titles } = dialect.pages;
  if (titles === "any") return;
  if (titles !== "unique") {
    if (typeof title === "string" && title.length > titles.maxLength) refuse(titles.status, titles.words);
    return;
  }
  const isTaken = [...world.pages.values()].some((page) => page.slug !== slug && page.title === title);
  if (isTaken) refuse(409, `A page with the title "${title}" exists already.`);
}

function foldSlug({ dialect, world }: Call, slug: string): string {
  const { folds } = dialect.pages;
  if (folds !== "letter case") return FOLDS[folds](slug);
  return [...world.pages.keys()].find((key) => key.toLowerCase() === slug.toLowerCase()) ?? slug;
}

const FOLDS: Readonly<Record<Exclude<Call["dialect"]["pages"]["folds"], "letter case">, (slug: string) => string>> = {
  nothing: (slug) => slug,
  "double hyphens": (slug) => slug.replace(/-{2,}/g, "-"),
  "hyphens to underscores": (slug) => slug.replaceAll("-", "_"),
  "long slugs": (slug) => slug.slice(0, 30),
  "hyphens away": (slug) => slug.replaceAll("-", ""),
  "usual slugs": (slug) => ({ index: "home", about: "about-us" })[slug] ?? slug,
};

function freeSlug({ world }: Call, slug: string): string {
  if (!world.pages.has(slug)) return slug;
  let number = 2;
  while (world.pages.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

function keepPage(call: Call, sent: { slug: string; html: string; title: unknown; siteId?: unknown }): PageRecord {
  const { dialect, world } = call;
  const known = world.pages.get(sent.slug);
  const { room } = dialect.pages;
  if (known === undefined && room !== undefined && world.pages.size >= room.pages) refuse(room.status, room.words);
  const now = world.now();
  const page: PageRecord = {
    id: known?.id ?? world.newId("pg"),
    slug: sent.slug,
    title: TITLES[dialect.pages.keepsTitles](typeof sent.title === "string" ? sent.title : titleOf(sent.html)),
    html: tidyHtml(sent.html, dialect.pages.keeps),
    createdAt: known?.createdAt ?? now.toISOString(),
    updatedAt: now.toISOString(),
    writes: (known?.writes ?? 0) + 1,
    visibleFrom: known?.visibleFrom ?? visibleFrom(call, now),
    ...(known?.trashed && dialect.pages.deletes === "for good" && { trashed: known.trashed }),
    ...(known?.siteId !== undefined && { siteId: sent.siteId ?? known.siteId }),
    ...(known && {
      before: { html: known.html, title: known.title, untilMs: now.getTime() + dialect.pages.changesAfterMs },
    }),
  };
  world.pages.set(page.slug, page);
  return page;
}

const TITLES: Readonly<Record<Call["dialect"]["pages"]["keepsTitles"], (title: string) => string>> = {
  "as-sent": (title) => title,
  escaped: (title) => title.replaceAll("&", "&amp;").replaceAll("'", "&#39;"),
  "with-site-name": (title) => `${title} – Acme`,
  cut: (title) => title.slice(0, 8).trim(),
};

function visibleFrom({ dialect: { pages } }: Call, now: Date): number {
  const isHeld = pages.becomes === "draft" || pages.becomes === "awaiting_moderation";
  return isHeld ? Infinity : now.getTime() + pages.appearsAfterMs;
}

function statusOf({ visibleFrom: from, trashed }: PageRecord, { dialect: { pages }, world }: Call) {
  if (trashed !== undefined) return { status: trashed.status, deletedAt: trashed.deletedAt };
  if (from === Infinity) return { status: pages.becomes === "awaiting_moderation" ? pages.becomes : "draft" };
  const isPending = pages.becomes === "pending" && from > world.now().getTime();
  return { status: isPending ? "pending" : "published" };
}

function answerPage(call: Call, page: PageRecord, status: number): Answer {
  const headers = tagged(call, page);
  if (status === 204) return { status, headers };
  const b = { title: page.title, ...statusOf(page, call), createdAt: page.createdAt };
  return { status, json: { ...renderPage(call, page), ...(call.dialect.routeSet === "b" ? b : {}) }, headers };
}

function renderPage({ dialect, world, request }: Call, { id, slug, writes, ogImage, siteId, restricted }: PageRecord) {
  const address = publicPageUrl(dialect, world, slug);
  const { tells, tags } = dialect.pages;
  const record = { id, slug, ogImage, siteId, ...restricted, ...(/version|weak-/.test(tags) && { version: writes }) };
  if (tells === "url") return { ...record, url: address };
  const edit = { ...record, url: `/edit/${id}` };
  const isReported = tells === "public-url" || (tells === "when-read" && request.method === "GET");
  return isReported ? { ...edit, publicUrl: address } : edit;
}
