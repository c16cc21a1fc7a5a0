import type { ImprintApi } from "../api.ts";
import { idOfLocation, madeWithoutId, newestOf } from "../find-created.ts";
import { readList } from "../listing.ts";
import { parseSite } from "../records/records.ts";
import { saysNothing } from "../records/read-record.ts";
import { createRecordWriter, SITE } from "../record-form.ts";
import { creation, findOrUndefined, replayed, writing } from "../request-parts.ts";
import type { RouteSetCalls } from "../route-set.ts";
import type { Session, SessionReply } from "../session.ts";

export function createSites(session: Session, calls: RouteSetCalls): ImprintApi["sites"] {
  const writer = createRecordWriter(session, SITE);
  const parse = ({ json, context }: SessionReply) => parseSite(json, context);
  const list: ImprintApi["sites"]["list"] = (options) =>
    readList(session, { operation: "sites.list", names: ["sites"], parse: parseSite, options });
  return {
    list,
    async get(id, { signal } = {}) {
      const reply = await findOrUndefined(session.call("sites.get", { parameters: [id], signal }));
      return reply === undefined ? undefined : parse(reply);
    },
    async create(site, options) {
      const reply = await writer.send(site, ({ body, id }) =>
        session.call("sites.create", { ...creation(options, id), body }),
      );
      if (!saysNothing(reply.json)) return replayed(parse(reply), reply);
      const id = idOfLocation(reply);
      if (id !== undefined) return replayed({ id, name: site.name }, reply);
      const named = (await list()).items.filter(({ name }) => name === site.name);
      const found = newestOf(named);
      if (found === undefined) throw madeWithoutId(`the site "${site.name}"`, reply.context);
      return replayed(found, reply);
    },
    async update(id, site, options) {
      const reply = await writer.send(site, ({ body }) =>
        session.call(calls.siteUpdate, { ...writing(options), parameters: [id], body }),
      );
      // A changed site may be answered with nothing at all.
      return saysNothing(reply.json) ? { id } : parse(reply);
    },
    async delete(id, { pages, signal } = {}) {
      const query: Record<string, string> = pages === undefined ? {} : { pages };
      await findOrUndefined(session.call("sites.delete", { parameters: [id], query, expects: "document", signal }));
    },
  };
}
