import type { BrandKitBody } from "../../contract/operations/content.ts";
import type { BrandKit, ImprintApi } from "../api.ts";
import { parseBrandKit, parseExtractedKit } from "../records/brand-kit.ts";
import { saysNothing } from "../records/read-record.ts";
import { BRAND_KIT, createRecordWriter } from "../record-form.ts";
import { creation, writing } from "../request-parts.ts";
import type { Session } from "../session.ts";
import { createCalls, createRecord } from "./calls.ts";

export function createBrandKits(session: Session): ImprintApi["brandKits"] {
  const calls = createCalls(session);
  const writer = createRecordWriter(session, BRAND_KIT);
  const list = calls.list("brandKits.list", parseBrandKit, ["brandKits", "kits"]);
  return {
    list,
    get: calls.get("brandKits.get", parseBrandKit),
    create: (kit, options) =>
      createRecord(kit, {
        writer,
        send: ({ body, id }) => session.call("brandKits.create", { ...creation(options, id), body }),
        parse: parseBrandKit,
        label: "brand kit",
        withId: (id) => written(id, kit),
        async find() {
          const named = (await list()).items.filter(({ name }) => name === kit.name);
          return named.length === 1 ? named[0] : undefined;
        },
      }),
    async update(id, kit, options) {
      const reply = await writer.send(kit, ({ body }) =>
        session.call("brandKits.put", { ...writing(options), parameters: [id], body }),
      );
      return saysNothing(reply.json) ? written(id, kit) : parseBrandKit(reply.json, reply.context);
    },
    delete: (id, options) => calls.remove("brandKits.delete", { ...options, parameters: [id] }),
    extract: calls.send("brandKits.extract", parseExtractedKit),
  };
}

// A service that answers nothing has what it was sent.
function written(id: string, { name, colors = [], fonts = [], logos = [] }: BrandKitBody): BrandKit {
  return { id, name, colors, fonts, logos };
}
