import { readList } from "../listing.ts";
import { parseForm, parseSubmission } from "../records/visitor-records.ts";
import { findOrUndefined, jsonBody } from "../request-parts.ts";
import type { Session } from "../session.ts";
import type { FormsApi, SubmissionsApi } from "../visitors-api.ts";
import { exportFromLists } from "./export-forms.ts";

export function createForms(session: Session): FormsApi {
  const list: FormsApi["list"] = ({ pageSlug } = {}, options) => {
    const names = ["forms"];
    return readList(session, { operation: "forms.list", filters: { pageSlug }, names, parse: parseForm, options });
  };
  return {
    list,
    async export(request = {}, { signal } = {}) {
      if (!session.capabilities().operations.has("forms.export")) {
        const sources = { listForms: list, listSubmissions: createSubmissions(session).list };
        return exportFromLists(sources, request, { signal });
      }
      // It changes nothing, so that a lost answer may be asked for again.
      const call = { body: jsonBody(request), expects: "document", repeat: "always", signal } as const;
      return (await session.call("forms.export", call)).text;
    },
  };
}

export function createSubmissions(session: Session): SubmissionsApi {
  return {
    list(pageSlug, { form, from, to, spam } = {}, options) {
      return readList(session, {
        operation: "submissions.list",
        parameters: [pageSlug],
        filters: { form, from, to, spam: spam === undefined ? undefined : String(spam) },
        names: ["submissions"],
        parse: parseSubmission,
        options,
      });
    },
    async delete(pageSlug, id, { signal } = {}) {
      const call = { parameters: [pageSlug, id], expects: "document", signal } as const;
      await findOrUndefined(session.call("submissions.delete", call));
    },
  };
}
