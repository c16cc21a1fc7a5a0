import { ImprintError } from "../base/error.ts";
import type { CallOptions, Page, PageInput } from "./api.ts";
import type { Form } from "./learner.ts";
import { createPageWriter } from "./page-form.ts";
import { readPublicPage } from "./without-key.ts";
import { fieldOf } from "./records/fields.ts";
import { parseWrittenPage } from "./records/records.ts";
import { findRecord } from "./records/read-record.ts";
import { findOrUndefined, isAbsence, replayed, writing } from "./request-parts.ts";
import type { RouteSetCalls } from "./route-set.ts";
import type { Session, SessionCall } from "./session.ts";
import { quoted } from "./transport/errors.ts";
import { failureOf } from "./transport/outcome.ts";

/** Route set A: one PUT creates and changes a page; the specification shows it as JSON with `html` alone. */
export function createRouteSetA(session: Session): RouteSetCalls {
  const writer = createPageWriter(session, { request: "put", usual: "json" });

  async function put(page: PageInput, call: SessionCall): Promise<Page> {
    const { slug } = page;
    const send = ({ body }: Form) => session.call("pages.put", { ...call, parameters: [slug], body });
    const reply = await writer.send(page, send).catch((error: unknown) => refuseToCreate(error, { page, session }));
    const written = parseWrittenPage(reply.json, { ...reply.context, sentSlug: slug });
    return session.notePage(replayed(written, reply), "write");
  }

  return {
    siteUpdate: "sites.patch",
    assetUpload: "assets.upload",
    readHtml: (slug, options) => readHtml(session, slug, options),
    createPage(page, { ifExists, signal } = {}) {
      return put(page, { headers: ifExists === "refuse" ? { "if-none-match": "*" } : {}, signal });
    },
    updatePage: (page, options) => put(page, writing(options)),
  };
}

// Route set A has no other request that creates a page.
function refuseToCreate(
  error: unknown,
  { page, session }: { readonly page: PageInput; readonly session: Session },
): never {
  const failure = failureOf(error);
  if (!isAbsence(error) || failure === undefined) throw error;
  session.learn({ pagePut: "updates" }, undefined);
  const message = `${session.baseUrl} has no page "${page.slug}" and doesn't create it by PUT: ${failure.status}${quoted(failure.said)}.`;
  const hint =
    "Create a page with this slug in the service's dashboard, then publish again; or use route set B if the service offers it.";
  throw new ImprintError("NOT_SUPPORTED", message, { cause: error, hint });
}

// A service that shows no HTML through the API shows it to readers.
async function readHtml(session: Session, slug: string, options: CallOptions = {}): Promise<string | undefined> {
  const html = await readApiHtml(session, slug, options);
  const { pagesAt } = session.capabilities();
  if (html !== undefined || pagesAt === undefined) return html;
  return readPublicPage(slug, { pagesAt, logger: session.logger, signal: options.signal });
}

async function readApiHtml(session: Session, slug: string, options: CallOptions): Promise<string | undefined> {
  const request = session.call("pages.get", {
    parameters: [slug],
    query: { include: "html" },
    optional: ["include"],
    signal: options.signal,
  });
  const reply = await findOrUndefined(request);
  return findRecord(reply?.json, {
    names: ["page"],
    fits(record) {
      const html = fieldOf(record, "html", "content");
      return typeof html === "string" ? html : undefined;
    },
  });
}
