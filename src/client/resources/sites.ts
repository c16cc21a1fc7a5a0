import type { ImprintApi, Site } from "../api.ts";
import { saysNothing } from "../records/read-record.ts";
import { parseSite } from "../records/records.ts";
import { createRecordWriter, SITE } from "../record-form.ts";
import { creation, writing } from "../request-parts.ts";
import type { RouteSetCalls } from "../route-set.ts";
import type { Session } from "../session.ts";
import { createCalls, createRecord, newestOf } from "./calls.ts";

export function createSites(session: Session, routeSet: RouteSetCalls): ImprintApi["sites"] {
  const calls = createCalls(session);
  const writer = createRecordWriter(session, SITE);
  const list = calls.list("sites.list", parseSite, ["sites"]);
  return {
    list,
    get: calls.get("sites.get", parseSite),
    create: (site, options) =>
      createRecord(site, {
        writer,
        send: ({ body, id }) => session.call("sites.create", { ...creation(options, id), body }),
        parse: parseSite,
        label: "site",
        withId: (id): Site => ({ id, name: site.name }),
        find: async () => newestOf((await list()).items.filter(({ name }) => name === site.name)),
      }),
    async update(id, site, options) {
      const reply = await writer.send(site, ({ body }) =>
        session.call(routeSet.siteUpdate, { ...writing(options), parameters: [id], body }),
      );
      // A changed site may be answered with nothing at all.
      return saysNothing(reply.json) ? { id } : parseSite(reply.json, reply.context);
    },
    delete(id, { pages, signal } = {}) {
      return calls.remove("sites.delete", { parameters: [id], query: pages === undefined ? {} : { pages }, signal });
    },
  };
}
