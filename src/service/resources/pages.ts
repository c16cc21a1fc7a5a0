import { sha256 } from "../../base/hash.ts";
import {
  deletePage,
  recordMove,
  findPage,
  findPageSnapshot,
  readPageHtml,
  savePage,
  type Page,
  type PageSnapshot,
} from "../store/pages.ts";
import { countRows, deleteRows, findRow, putRow } from "../store/rows.ts";
import { recordAssetUses } from "../store/asset-uses.ts";
import { holdName } from "../store/transactions.ts";
import { findAssetIds } from "./asset-uses.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { mayHoldForms, closeForms, syncForms } from "./forms.ts";
import { ProblemError } from "../http/problem.ts";
import { checkLimit, checkSite, checkSlug, found } from "./fields.ts";
import { checkPreconditions, type Preconditions } from "../http/messages.ts";
import { parseFragment } from "parse5";
import { LIMITS } from "../../contract/limits.ts";
import type { PageEditBody } from "../../contract/operations/content.ts";
import { recordPageRemoval, recordPageWrite } from "./events.ts";
import { settlePage } from "./settle.ts";

export interface PageChange {
  readonly slug: string;
  readonly html: string;
  /** Default: the page's current title, the document's, or the slug. */
  readonly title?: string | undefined;
  readonly status?: "draft" | "published" | undefined;
  /** Default: the page's current site. */
  readonly siteId?: string | null | undefined;
  readonly description?: string | null | undefined;
}

export interface PageWritten {
  readonly page: Page;
  readonly outcome: "created" | "updated" | "unchanged";
}

export async function getPage({ database, accountId }: Context, slug: string): Promise<Page> {
  return found(await findPage(database, { accountId, slug }), "page_not_found");
}

export async function getPageById({ database, accountId }: Context, id: string): Promise<Page> {
  return found(await findRow(database, "page", { accountId, id }), "page_not_found");
}

export async function getPageHtml({ database, accountId }: Context, page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const html = await readPageHtml(database, { ...page, accountId });
  // It was written after the lookup, and readers see the new version.
  const now = html === undefined ? await findPage(database, { accountId, slug: page.slug }) : undefined;
  return found(html ?? (now && (await readPageHtml(database, { ...now, accountId }))), "page_not_found");
}

/** Creates a page. Throws `slug_taken` if it exists. */
export async function createPage(context: Context, change: PageChange): Promise<Page> {
  checkSlug(change.slug, "/body/slug");
  const before = await lockPage(context, change.slug);
  if (before.page !== undefined) {
    throw new ProblemError("slug_taken", {
      detail: `The page "${change.slug}" already exists; use PUT to change it.`,
      errors: [{ pointer: "/body/slug", detail: "is taken" }],
    });
  }
  const { page } = await writePage(context, { change, before });
  return page;
}

/** Creates or updates the page with this slug; identical content changes nothing. */
export async function putPage(
  context: Context,
  change: PageChange,
  preconditions: Preconditions,
): Promise<PageWritten> {
  checkSlug(change.slug, "/params/slug");
  const before = await lockPage(context, change.slug);
  checkPreconditions(preconditions, before.page);
  return await writePage(context, { change, before });
}

/** Editable fields of a page besides its HTML. */
export type PageEdit = Pick<PageChange, "title" | "description" | "status" | "siteId">;

/** Changes the fields of a page, including its status, but not its HTML. */
export async function editPage(
  context: Context,
  {
    slug,
    edit,
    preconditions,
  }: { readonly slug: string; readonly edit: PageEdit; readonly preconditions: Preconditions },
): Promise<PageWritten> {
  const before = await lockPage(context, slug);
  const page = found(before.page, "page_not_found");
  checkPreconditions(preconditions, page);
  const html = decodeHtml(await getPageHtml(context, page));
  return await writePage(context, { change: { status: page.status, ...edit, slug, html }, before });
}

/** Replaces text in the HTML of a page. Throws `text_not_found` or `text_not_unique`. */
export async function editPageHtml(
  context: Context,
  { slug, edits, preconditions }: PageEditBody & { readonly slug: string; readonly preconditions: Preconditions },
): Promise<Page> {
  const before = await lockPage(context, slug);
  const page = found(before.page, "page_not_found");
  checkPreconditions(preconditions, page);
  const html = decodeHtml(await getPageHtml(context, page));
  const change = { status: page.status, slug, title: page.title, html: applyEdits(html, edits) };
  return (await writePage(context, { change, before })).page;
}

function applyEdits(html: string, edits: PageEditBody["edits"]): string {
  let text = html;
  for (const [index, { find, replace, all = false }] of edits.entries()) {
    const parts = text.split(find);
    const count = parts.length - 1;
    const pointer = `/body/edits/${index}/find`;
    if (count === 0) throw new ProblemError("text_not_found", { errors: [{ pointer, detail: "isn't in the page" }] });
    if (count > 1 && !all) {
      const detail = `occurs ${count} times in the page: include more of the surrounding text, or set \`all\``;
      throw new ProblemError("text_not_unique", { errors: [{ pointer, detail }] });
    }
    text = parts.join(replace);
  }
  return text;
}

/** Decodes the HTML of a page, keeping a byte order mark. */
export function decodeHtml(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export async function removePage(context: Context, slug: string, preconditions: Preconditions): Promise<void> {
  await settlePage(context, slug);
  const page = await getPage(context, slug);
  checkPreconditions(preconditions, page);
  await deletePage(context.database, { ...page, accountId: context.accountId }, context.now);
  await closeForms(context, slug);
  await recordPageRemoval(context, page);
  await audit(context, { action: "page.deleted", subject: slug, subjectId: page.id });
}

/** Returns the page to write and what the write depends on, and locks it until the end of the transaction. */
async function lockPage(context: Context, slug: string): Promise<PageSnapshot> {
  const { database, accountId } = context;
  await holdName(database, `page ${accountId} ${slug}`);
  const before = await findPageSnapshot(database, { accountId, slug });
  if (!before.isWaiting) return before;
  await settlePage(context, slug);
  return await findPageSnapshot(database, { accountId, slug });
}

interface PageWrite {
  readonly change: PageChange;
  readonly before: PageSnapshot;
}

async function writePage(context: Context, { change, before }: PageWrite): Promise<PageWritten> {
  const { page: existing } = before;
  const html = Buffer.from(change.html, "utf8");
  checkHtml(context, change.html, html.byteLength);
  await checkSite(context, change.siteId, "invalid_body");
  const page = nextPage(context, { change, existing, html });
  if (existing !== undefined && isSamePage(existing, page)) return { page: existing, outcome: "unchanged" };
  if (existing === undefined) await checkPageCount(context);

  const { database, accountId } = context;
  await savePage(database, { ...page, accountId }, existing);
  await recordMove(database, existing, page);
  const isOtherContent = existing?.contentHash !== page.contentHash;
  if (isOtherContent) await putRow(database, "pageHtml", { key: { pageId: page.id }, set: { html } });
  if (isOtherContent || existing.description !== page.description) {
    const assetIds = findAssetIds([change.html, page.description]);
    const user = { kind: "page", id: page.id, accountId } as const;
    if (before.hasAssets || assetIds.length > 0) await recordAssetUses(database, user, assetIds);
  }
  if ((isOtherContent || existing.status !== page.status) && (before.hasForms || mayHoldForms(change.html))) {
    await syncForms(context, page, change.html);
  }
  if (existing === undefined) await deleteRows(database, "deletedPage", { accountId, slug: page.slug });
  await recordPageWrite(context, existing, page);
  return { page, outcome: existing === undefined ? "created" : "updated" };
}

function nextPage(
  { newId, now }: Context,
  {
    change,
    existing,
    html,
  }: { readonly change: PageChange; readonly existing: Page | undefined; readonly html: Uint8Array },
): Page {
  const status = change.status ?? "published";
  return {
    id: existing?.id ?? newId("pg"),
    slug: change.slug,
    title: change.title ?? existing?.title ?? findTitle(change.html) ?? change.slug,
    status,
    siteId: change.siteId === undefined ? (existing?.siteId ?? null) : change.siteId,
    description: change.description === undefined ? (existing?.description ?? null) : change.description,
    contentHash: sha256(html),
    bytes: html.byteLength,
    version: (existing?.version ?? 0) + 1,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
    publishedAt: existing?.publishedAt ?? (status === "published" ? now : null),
  };
}

function isSamePage(left: Page, right: Page): boolean {
  const fields = ["contentHash", "title", "status", "siteId", "description"] as const;
  return fields.every((field) => left[field] === right[field]);
}

// Far more than the number of pages that can be created concurrently.
const COUNT_MARGIN = 500;

async function checkPageCount({ database, accountId, limits }: Context): Promise<void> {
  if ((await countRows(database, "page", { accountId })) < limits.maxPages - COUNT_MARGIN) return;
  // Close to the limit, pages are created one at a time.
  await holdName(database, `page count ${accountId}`);
  checkLimit(await countRows(database, "page", { accountId }), limits.maxPages, "pages");
}

/** Throws `page_too_large` or `invalid_html`. Text without tags is valid: the specification requires only a string. */
function checkHtml({ limits }: Pick<Context, "limits">, html: string, bytes: number): void {
  if (bytes > limits.maxPageBytes) {
    throw new ProblemError("page_too_large", {
      detail: `The page has ${bytes} bytes; the maximum is ${limits.maxPageBytes}.`,
    });
  }
  if (html.trim() !== "") return;
  throw new ProblemError("invalid_html", {
    detail: "The page is empty.",
    errors: [{ pointer: "/body/html", detail: "is empty" }],
  });
}

// Longer than any title; limits the search in a document that never closes its title.
const TITLE_WINDOW = 4000;

/** Returns the text of the document's title, cut to the maximum length. */
export function findTitle(html: string): string | undefined {
  const start = html.search(/<title[\s>]/i);
  if (start === -1) return undefined;
  const source = /^<title[^>]*>([^<]*)<\/title/i.exec(html.slice(start, start + TITLE_WINDOW))?.[1] ?? "";
  const [text] = parseFragment(source).childNodes;
  const title = text !== undefined && "value" in text ? text.value.replaceAll(/\s+/g, " ").trim() : "";
  // Never ends in half of a surrogate pair.
  return title === "" ? undefined : title.slice(0, LIMITS.maxTitleLength).replace(/[\uD800-\uDBFF]$/, "");
}
