import { ImprintError } from "../../base/error.ts";
import type { ImprintApi, Page, PageInput } from "../api.ts";
import { readList } from "../listing.ts";
import { parsePage } from "../records/records.ts";
import type { RecordContext } from "../records/read-record.ts";
import { writing } from "../request-parts.ts";
import type { RouteSetCalls } from "../route-set.ts";
import { withPublishedAddress } from "../published-address.ts";
import type { Session } from "../session.ts";
import { createCalls } from "./calls.ts";
import { failureOf } from "../transport/outcome.ts";

export function createPages(session: Session, calls: RouteSetCalls): ImprintApi["pages"] {
  function parse(json: unknown, context: RecordContext): Page {
    const page = parsePage(json, context);
    return session.notePage(session.routeSet === "b" ? withPublishedAddress(page) : page, "list");
  }

  return {
    list({ siteId, updatedSince } = {}, options) {
      const filters = { siteId, updatedSince: updatedSince?.toISOString() };
      return readList(session, { operation: "pages.list", filters, names: ["pages"], parse, options });
    },
    get: createCalls(session).get("pages.get", parse),
    readHtml: (slug, options) => calls.readHtml(slug, options),
    create(page, options) {
      const send = () => calls.createPage(page, options);
      return write(page, { session, calls, send, signal: options?.signal });
    },
    update(page, options) {
      const send = () => calls.updatePage(page, options);
      return write(page, { session, calls, send, signal: options?.signal });
    },
    delete(slug, options) {
      return createCalls(session).remove("pages.delete", { ...writing(options), parameters: [slug] });
    },
  };
}

interface Write {
  readonly session: Session;
  readonly calls: RouteSetCalls;
  readonly send: () => Promise<Page>;
  readonly signal: AbortSignal | undefined;
}

// A conditional request that was repeated because its answer was lost meets the version that it made itself.
async function write(page: PageInput, { session, calls, send, signal }: Write): Promise<Page> {
  try {
    return await send();
  } catch (error) {
    const slugMaxLength = slugLimitIn(error, page);
    if (slugMaxLength !== undefined) session.learn({ slugMaxLength }, undefined);
    const mayBeOwn =
      error instanceof ImprintError && error.code === "VERSION_MISMATCH" && failureOf(error)?.mayBeDone === true;
    if (!mayBeOwn || (await calls.readHtml(page.slug, { signal })) !== page.html) throw error;
    return calls.updatePage(page, { signal });
  }
}

const SLUG_LIMIT = /slug\b.{0,60}?(?:at most|max\w*|longer than|more than|up to|exceeds?|limit)\D{0,30}(\d{1,3})\b/i;

// Believed where the slug that was refused is longer than what the refusal names.
function slugLimitIn(error: unknown, { slug }: PageInput): number | undefined {
  const { status, said = "" } = failureOf(error) ?? {};
  if (status !== 400 && status !== 422) return undefined;
  const limit = Number(SLUG_LIMIT.exec(said)?.[1]);
  return limit >= 8 && limit < slug.length ? limit : undefined;
}
