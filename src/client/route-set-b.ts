import { ImprintError } from "../base/error.ts";
import type { Page, PageInput } from "./api.ts";
import { createBodyForms } from "./body-forms.ts";
import { parseWrittenPage } from "./records/parse-records.ts";
import { creation, jsonBody, writing } from "./request-parts.ts";
import type { RouteSetCalls } from "./route-set.ts";
import type { Session } from "./session.ts";
import type { EncodedBody } from "./transport/body.ts";
import { encodeMultipart } from "./transport/multipart.ts";
import type { Part } from "./transport/multipart.ts";
import { failureOf } from "./transport/outcome.ts";

/** Route set B: a page is created by POST with a form and changed by PUT, whose body the specification does not show. */
export function createRouteSetB(session: Session): RouteSetCalls {
  const forms = createBodyForms({
    logger: session.logger,
    whenLearned: `${session.baseUrl} takes no form for a changed page: it is sent as JSON.`,
  });
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
        throw error;
      }
    },
    async createPage(page, options) {
      const body = formOf(page, [{ kind: "field", name: "slug", text: page.slug }]);
      const reply = await session.call("pages.create", { ...creation(options), body });
      return session.notePage(published(parseWrittenPage(reply.json, { ...reply.context, sentSlug: page.slug })));
    },
    async updatePage(page, options) {
      async function send(body: EncodedBody) {
        const reply = await session.call("pages.put", { ...writing(options), parameters: [page.slug], body });
        return session.notePage(published(parseWrittenPage(reply.json, { ...reply.context, sentSlug: page.slug })));
      }
      const { html, title, siteId, description } = page;
      return forms.send({
        first: () => send(formOf(page, field("description", description))),
        second: () => send(jsonBody({ html, title, siteId, description })),
      });
    },
  };
}

/** In route set B the address of a page is the published one. */
export function published(page: Page): Page {
  const url = URL.parse(page.url ?? "");
  return page.publicUrl === undefined && url !== null ? { ...page, publicUrl: url.href } : page;
}

function formOf({ slug, html, title, siteId }: PageInput, more: readonly Part[]): EncodedBody {
  const fileName = `${slug}.html`;
  return encodeMultipart([
    { kind: "file", name: "html", fileName, contentType: "text/html", bytes: Buffer.from(html) },
    { kind: "field", name: "title", text: title },
    ...more,
    ...field("siteId", siteId),
  ]);
}

function field(name: string, text: string | undefined): readonly Part[] {
  return text === undefined ? [] : [{ kind: "field", name, text }];
}

function isNotThere(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return error instanceof ImprintError && (status === 404 || status === 410);
}
