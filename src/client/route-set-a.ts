import type { CallOptions, PageInput } from "./api.ts";
import { createBodyForms } from "./body-forms.ts";
import { readPublicPage } from "./public-page.ts";
import { fieldOf } from "./records/fields.ts";
import { parseWrittenPage } from "./records/parse-records.ts";
import { findRecord } from "./records/unwrap.ts";
import { findOrUndefined, jsonBody, writing } from "./request-parts.ts";
import type { RouteSetCalls } from "./route-set.ts";
import type { Session, SessionCall } from "./session.ts";

/** Route set A: one PUT with JSON creates and changes a page. */
export function createRouteSetA(session: Session): RouteSetCalls {
  const forms = createBodyForms({
    logger: session.logger,
    whenLearned: `${session.baseUrl} takes nothing but html for a page: title, site and description are left out.`,
  });

  async function put(page: PageInput, call: SessionCall) {
    const { slug, html, title, siteId, description } = page;
    async function send(body: object) {
      const reply = await session.call("pages.put", { ...call, parameters: [slug], body: jsonBody(body) });
      return session.notePage(parseWrittenPage(reply.json, { ...reply.context, sentSlug: slug }));
    }
    // The specification shows `html` alone.
    return forms.send({
      first: () => send({ html, title, siteId, description }),
      second: () => send({ html }),
    });
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
    record: "page",
    fits(record) {
      const html = fieldOf(record, "html", "content");
      return typeof html === "string" ? html : undefined;
    },
  });
}
