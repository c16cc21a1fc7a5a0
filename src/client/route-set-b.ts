import { ImprintError } from "../base/error.ts";
import type { Page, PageCreateOptions, PageInput } from "./api.ts";
import type { Form } from "./learner.ts";
import { createPageWriter } from "./page-form.ts";
import { withPublishedAddress } from "./published-address.ts";
import { readPublicPage } from "./without-key.ts";
import { parseWrittenPage } from "./records/records.ts";
import { creation, isAbsence, replayed, writing } from "./request-parts.ts";
import type { RouteSetCalls } from "./route-set.ts";
import type { Session, SessionReply } from "./session.ts";
import { failureOf } from "./transport/outcome.ts";

/** Route set B: a page is created by POST with a form and changed by PUT, whose body the specification does not show. */
export function createRouteSetB(session: Session): RouteSetCalls {
  const newPages = createPageWriter(session, { request: "post", usual: "multipart" });
  const changedPages = createPageWriter(session, { request: "put", usual: "multipart" });
  const parse = (reply: SessionReply, page: PageInput) => {
    const written = withPublishedAddress(parseWrittenPage(reply.json, { ...reply.context, sentSlug: page.slug }));
    return session.notePage(replayed(written, reply), "write");
  };

  async function create(page: PageInput, options?: PageCreateOptions): Promise<Page> {
    const send = ({ body, id }: Form) => session.call("pages.create", { ...creation(options, id), body });
    return parse(await newPages.send(page, send), page);
  }

  return {
    siteUpdate: "sites.put",
    assetUpload: "assets.uploadImages",
    async readHtml(slug, options = {}) {
      try {
        const call = { parameters: [slug], expects: "document", signal: options.signal } as const;
        return (await session.call("pages.raw", call)).text;
      } catch (error) {
        // The answer for a page that does not exist may be a web page, as the one for a page that does.
        if (isNotThere(error)) return undefined;
        const { pagesAt } = session.capabilities();
        const isRefused = error instanceof ImprintError && error.code === "AREA_REFUSED";
        if (!isRefused || pagesAt === undefined) throw error;
        return readPublicPage(slug, { pagesAt, logger: session.logger, signal: options.signal });
      }
    },
    createPage: create,
    async updatePage(page, options) {
      const call = { ...writing(options), parameters: [page.slug] };
      try {
        return parse(await changedPages.send(page, ({ body }) => session.call("pages.put", { ...call, body })), page);
      } catch (error) {
        if (!isAbsence(error) || options?.ifMatch !== undefined) throw error;
        session.learn({ pagePut: "updates" }, undefined);
        return create(page, { signal: options?.signal });
      }
    },
  };
}

function isNotThere(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return error instanceof ImprintError && (status === 404 || status === 410);
}
