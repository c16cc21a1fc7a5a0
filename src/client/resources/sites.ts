import type { ImprintApi } from "../api.ts";
import { readList } from "../listing.ts";
import { parseSite } from "../records/parse-records.ts";
import { creation, findOrUndefined, jsonBody, writing } from "../request-parts.ts";
import type { RouteSetCalls } from "../route-set.ts";
import type { Session, SessionReply } from "../session.ts";

export function createSites(session: Session, calls: RouteSetCalls): ImprintApi["sites"] {
  const parse = ({ json, context }: SessionReply) => parseSite(json, context);
  return {
    list: (options) => readList(session, { operation: "sites.list", names: ["sites"], parse: parseSite, options }),
    async get(id, { signal } = {}) {
      const reply = await findOrUndefined(session.call("sites.get", { parameters: [id], signal }));
      return reply === undefined ? undefined : parse(reply);
    },
    async create(site, options) {
      return parse(await session.call("sites.create", { ...creation(options), body: jsonBody(site) }));
    },
    async update(id, site, options) {
      const call = { ...writing(options), parameters: [id], body: jsonBody(site) };
      const reply = await session.call(calls.siteUpdate, call);
      // A changed site may be answered with nothing at all.
      return reply.json === undefined ? { id } : parse(reply);
    },
    async delete(id, { pages, signal } = {}) {
      const query: Record<string, string> = pages === undefined ? {} : { pages };
      await findOrUndefined(session.call("sites.delete", { parameters: [id], query, expects: "document", signal }));
    },
  };
}
