import { ImprintError, messageOf } from "../../base/error.ts";
import type { ImprintApi, Page, PageCreateOptions, PageInput, PageVersion, WriteOptions } from "../api.ts";
import { isHiddenStatus, type Dialect } from "../../contract/dialect.ts";
import { readList } from "../listing.ts";
import { createPageWriter } from "../page-form.ts";
import { verdictOn, type Form } from "../learner.ts";
import { withPublishedAddress } from "../published-address.ts";
import { textOf } from "../records/fields.ts";
import { findRecord, type RecordContext } from "../records/read-record.ts";
import { isUnnamedPage, parsePage, parseWrittenPage, readChangeTime } from "../records/records.ts";
import type { Session, SessionCall, SessionReply } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { anyTagOf, isWeakTag } from "../transport/entity-tag.ts";
import { quoted } from "../transport/errors.ts";
import { failureOf } from "../transport/outcome.ts";
import { readPublicPage } from "../without-key.ts";
import {
  createCalls,
  creation,
  findOrUndefined,
  isAbsence,
  isEmptyReply,
  orOther,
  replayed,
  withJson,
  withOnly,
  writing,
} from "./calls.ts";

type RouteSetPages = Pick<ImprintApi["pages"], "create" | "update" | "read">;

export function createPages(session: Session): ImprintApi["pages"] {
  const { routeSet } = session;
  const calls = routeSet === "a" ? createPagesA(session) : createPagesB(session);

  function parse(json: unknown, context: RecordContext): Page {
    const page = parsePage(json, context);
    return session.recordPage(routeSet === "b" ? withPublishedAddress(page) : page, "list");
  }

  // The response may be lost after the page was written, and a repeated request conflicts with what it wrote itself.
  async function write(page: PageInput, send: () => Promise<Page>, options: WriteOptions = {}): Promise<Page> {
    const { ifMatch, signal } = options;
    try {
      return await send();
    } catch (error) {
      const slugs = slugRulesIn(error, page);
      if (slugs !== undefined) session.learn(slugs, undefined);
      const present = mayBeDone(error) ? await calls.read(page.slug, { signal }).catch(() => undefined) : undefined;
      if (present?.html !== page.html) throw error;
      const isTag = typeof ifMatch === "string" && isWeakTag(ifMatch) === isWeakTag(present.etag ?? "");
      return calls.update(page, { ifMatch: isTag ? present.etag : undefined, signal });
    }
  }

  function mayBeDone(error: unknown): boolean {
    const failure = failureOf(error);
    if (error instanceof ImprintError && error.code === "VERSION_MISMATCH") return failure?.mayBeDone === true;
    // Route set B refuses to create a page twice.
    const isLost = failure?.stage === "on-the-way" || (failure?.status ?? 0) >= 500;
    return routeSet === "b" && (failure?.status === 409 || isLost);
  }

  const updateVersion: RouteSetPages["update"] = async (page, options) => {
    const { version } = options ?? {};
    const isVersioned = session.dialect().pageVersion === "body" && version !== undefined;
    try {
      return await calls.update(isVersioned ? { ...page, version } : page, options);
    } catch (error) {
      if (isVersioned || !demandsVersion(error)) throw error;
      if (version === undefined) throw withoutVersion(error, page);
      session.learn({ pageVersion: "body" }, undefined);
      return calls.update({ ...page, version }, options);
    }
  };

  return {
    async list({ siteId, updatedSince } = {}, options) {
      const filters = { siteId, updatedSince: updatedSince?.toISOString() };
      const parseOne = withJson(parse, options);
      const listing = await readList(session, {
        operation: "pages.list",
        filters,
        names: ["pages"],
        parse: (json, context) => (isUnnamedPage(json) ? undefined : parseOne(json, context)),
        replaces: (page, other) =>
          page !== undefined && page.slug === other?.slug && isHiddenStatus(other.status) && isSeenRather(page, other),
        options,
      });
      const named = listing.items.filter((item) => item !== undefined);
      return withOnly(withoutRevisions(named), listing);
    },
    get: (slug, options) => createCalls(session).get("pages.get", withJson(parse, options))(slug, options),
    readHtml: async (slug, options) => (await calls.read(slug, options))?.html,
    read: calls.read,
    create: (page, options) => write(page, () => calls.create(page, options), options),
    update: (page, options) => write(page, () => updateVersion(page, options), options),
    async patch(slug, change, options) {
      const call = { ...writing(options), parameters: [slug], body: jsonBody(change) };
      const { json, context } = await session.call("pages.patch", call);
      return parse(json, context);
    },
    delete(slug, options) {
      return createCalls(session).remove("pages.delete", { ...writing(options), parameters: [slug] });
    },
  };
}

/** Keeps one record of each slug: a list may show each revision of a page, of which readers see the published one. */
function withoutRevisions(pages: readonly Page[]): readonly Page[] {
  const bySlug = new Map<string, Page>();
  for (const page of pages) {
    const other = bySlug.get(page.slug);
    if (other === undefined || isSeenRather(page, other)) bySlug.set(page.slug, page);
  }
  return bySlug.size === pages.length ? pages : [...bySlug.values()];
}

function isSeenRather(page: Page, other: Page): boolean {
  if (isHiddenStatus(page.status) !== isHiddenStatus(other.status)) return isHiddenStatus(other.status);
  return (page.updatedAt?.getTime() ?? 0) >= (other.updatedAt?.getTime() ?? 0);
}

function demandsVersion(error: unknown): boolean {
  const { status, said: text = "", fields = [] } = failureOf(error) ?? {};
  const mayDemand = status === 400 || status === 409 || status === 422 || status === 428;
  return mayDemand && verdictOn("version", { text, fields }) === "missing";
}

function withoutVersion(error: unknown, { slug }: PageInput): ImprintError {
  return new ImprintError("SERVICE_REFUSED", messageOf(error), {
    cause: error,
    hint: `The list of pages doesn't show the version of "${slug}". Change or delete the page in the service's dashboard.`,
  });
}

const SLUG_LIMIT =
  /slug\b.{0,60}?(?:(?:at most|max\w*|(?:long|great|larg|short|few)er than|(?:more|less) than|up to|exceeds?|limit|between \d+ and)\D{0,30}(\d{1,3})\b|\b(\d{1,3}) ?(?:characters?|chars?|letters)?,? (?:or (?:fewer|less|shorter)|at most|max))/i;

// "letters, numbers, underscores or hyphens", but not "underscores instead of hyphens"
const TAKES_HYPHENS =
  /(?<!(?:\bno|not|without|instead of|never)\b[^.,;]*)\b(?:hyphens?|dashes)\b(?!\s(?:are|is)\s?n.t|\s\w+\snot)/i;

// Trusted only if the rejected slug is longer than the limit in the message, or contains a character that it doesn't
// list.
function slugRulesIn(error: unknown, { slug }: PageInput): Dialect | undefined {
  const { status, said = "" } = failureOf(error) ?? {};
  if (status !== 400 && status !== 422) return undefined;
  const [, before, after] = SLUG_LIMIT.exec(said) ?? [];
  const limit = Number(before ?? after);
  if (limit >= 8 && limit < slug.length) return { slugMaxLength: limit };
  if (slug.includes("-") && /underscore/i.test(said) && !TAKES_HYPHENS.test(said)) return { slugSeparator: "_" };
  return slug.includes("--") && /slug|hyphen/i.test(said) ? { slugHyphens: "single" } : undefined;
}

// One PUT creates and updates a page; the specification shows it as JSON with only `html`.
function createPagesA(session: Session): RouteSetPages {
  const writer = createPageWriter(session, { request: "put", usual: "json" });

  async function put(page: PageInput, options: SessionCall): Promise<Page> {
    const { slug } = page;
    const send = ({ body }: Form) => session.call("pages.put", { ...options, parameters: [slug], body });
    const reply = await writer.send(page, send).catch((error: unknown) => refuseToCreate(error, { page, session }));
    const written = parseWrittenPage(reply.json, { ...reply.context, sentSlug: slug, status: reply.status });
    return recordWritten(written, { reply, session });
  }

  // A service may demand a condition with each PUT.
  let isDemanded = false;

  async function create(page: PageInput, options: PageCreateOptions = {}): Promise<Page> {
    const { ifExists, signal } = options;
    const isConditional = isDemanded || ifExists === "refuse";
    try {
      return await put(page, { headers: isConditional ? { "if-none-match": "*" } : {}, signal });
    } catch (error) {
      if (isConditional || failureOf(error)?.status !== 428) throw error;
      isDemanded = true;
      return await create(page, options);
    }
  }

  return {
    create,
    update: (page, options) => put(page, writing(options)),
    // If a service doesn't return HTML through the API, the published page has it.
    async read(slug, { signal } = {}) {
      const call = { parameters: [slug], query: { include: "html" }, optional: ["include"], signal };
      const published = createPublishedReader(session, slug, signal);
      const reply = await findOrUndefined(session.call("pages.get", call));
      const shown = findRecord(reply?.json, {
        names: ["page"],
        fits(record) {
          const html = textOf(record, "html", "content");
          return html === undefined ? undefined : { html, updatedAt: readChangeTime(record) };
        },
      });
      if (reply === undefined || isEmptyReply(reply)) return undefined;
      if (shown !== undefined) {
        if (session.dialect().htmlAt !== undefined) session.learn({ htmlAt: undefined }, undefined);
        return { ...shown, etag: anyTagOf(reply) };
      }
      // The address of this page takes precedence over where others were once shown.
      const { updatedAt } = session.recordPage(parsePage(reply.json, reply.context), "page");
      return { ...(await published()), updatedAt, etag: anyTagOf(reply) };
    },
  };
}

function recordWritten(written: Page, { reply, session }: { readonly reply: SessionReply; readonly session: Session }) {
  const isNew = reply.status === 202 && session.dialect().pageAnswers === undefined;
  if (isNew) session.learn({ pageAnswers: "accepted" }, undefined);
  return session.recordPage({ ...replayed(written, reply), etag: anyTagOf(reply) }, "page");
}

// Route set A has no other request that creates a page.
function refuseToCreate(error: unknown, { page, session }: { page: PageInput; session: Session }): never {
  const failure = failureOf(error);
  if (!isAbsence(error) || failure === undefined) throw error;
  session.learn({ pagePut: "updates" }, undefined);
  const message = `${session.baseUrl} has no page "${page.slug}" and doesn't create it with PUT: ${failure.status}${quoted(failure.said)}.`;
  const hint =
    "Create a page with this slug in the service's dashboard, then publish again; or use route set B if the service offers it.";
  throw new ImprintError("NOT_SUPPORTED", message, { cause: error, hint });
}

/**
 * Reads the HTML of a published page when asked, or before that on a host that has shown it only there, so that this
 * doesn't take the time of two requests.
 */
function createPublishedReader(session: Session, slug: string, signal?: AbortSignal): () => Promise<PageVersion> {
  const { logger } = session;
  const addressOf = () => session.capabilities().pagesAt;
  const read = async (pagesAt: string | undefined) =>
    pagesAt === undefined ? undefined : await readPublicPage(slug, { pagesAt, logger, signal });
  const isOnlyThere = session.dialect().htmlAt === "public";
  const early = isOnlyThere ? { pagesAt: addressOf(), html: read(addressOf()) } : undefined;
  // Not every caller needs it in the end.
  early?.html.catch(() => {});
  return async () => {
    const html = await (early !== undefined && early.pagesAt === addressOf() ? early.html : read(addressOf()));
    if (html !== undefined && !isOnlyThere) session.learn({ htmlAt: "public" }, undefined);
    return { html };
  };
}

// A page is created by POST with a form and updated by PUT, whose body the specification doesn't show.
function createPagesB(session: Session): RouteSetPages {
  const newPages = createPageWriter(session, { request: "post", usual: "multipart" });
  const changedPages = createPageWriter(session, { request: "put", usual: "multipart" });
  let isRawShown = false;

  function parse(reply: SessionReply, page: PageInput): Page {
    const written = withPublishedAddress(
      parseWrittenPage(reply.json, { ...reply.context, sentSlug: page.slug, status: reply.status }),
    );
    return recordWritten(written, { reply, session });
  }

  const create: RouteSetPages["create"] = async (page, options) => {
    const send = ({ body, id }: Form) => session.call("pages.create", { ...creation(options, id), body });
    const reply = await newPages.send(page, send);
    return orOther(parse(reply, page), { sent: page, reply });
  };

  return {
    create,
    async update(page, options) {
      const call = { ...writing(options), parameters: [page.slug] };
      try {
        return parse(await changedPages.send(page, ({ body }) => session.call("pages.put", { ...call, body })), page);
      } catch (error) {
        if (!isAbsence(error) || typeof options?.ifMatch === "number") throw error;
        session.learn({ pagePut: "updates" }, undefined);
        return create(page, { signal: options?.signal });
      }
    },
    async read(slug, { signal } = {}) {
      const published = createPublishedReader(session, slug, signal);
      try {
        const reply = await session.call("pages.raw", { parameters: [slug], expects: "document", signal });
        isRawShown = true;
        if (session.dialect().htmlAt !== undefined) session.learn({ htmlAt: undefined }, undefined);
        return { html: reply.text, etag: anyTagOf(reply) };
      } catch (error) {
        // The response for a missing page may be a web page, like the one for an existing page. Until the host has
        // returned a page, it may also be the response of a host without this route.
        const status = failureOf(error)?.status;
        if (error instanceof ImprintError && (status === 404 || status === 410)) {
          return isRawShown ? undefined : published();
        }
        const isRefused = error instanceof ImprintError && error.code === "AREA_REFUSED";
        if (!isRefused || session.capabilities().pagesAt === undefined) throw error;
        return published();
      }
    },
  };
}
