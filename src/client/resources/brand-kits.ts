import type { BrandKitBody } from "../../contract/requests.ts";
import type { BrandKit, ImprintApi } from "../api.ts";
import { idOfLocation, madeWithoutId } from "../find-created.ts";
import { readList } from "../listing.ts";
import { parseBrandKit, parseExtractedKit } from "../records/brand-kit.ts";
import { saysNothing } from "../records/read-record.ts";
import { BRAND_KIT, createRecordWriter } from "../record-form.ts";
import { creation, findOrUndefined, jsonBody, writing } from "../request-parts.ts";
import type { Session, SessionReply } from "../session.ts";

export function createBrandKits(session: Session): ImprintApi["brandKits"] {
  const parse = ({ json, context }: SessionReply) => parseBrandKit(json, context);
  const writer = createRecordWriter(session, BRAND_KIT);
  const list: ImprintApi["brandKits"]["list"] = (options) =>
    readList(session, { operation: "brandKits.list", names: ["brandKits", "kits"], parse: parseBrandKit, options });
  return {
    list,
    async get(id, { signal } = {}) {
      const reply = await findOrUndefined(session.call("brandKits.get", { parameters: [id], signal }));
      return reply === undefined ? undefined : parse(reply);
    },
    async create(kit, options) {
      const reply = await writer.send(kit, ({ body, id }) =>
        session.call("brandKits.create", { ...creation(options, id), body }),
      );
      if (!saysNothing(reply.json)) return parse(reply);
      const id = idOfLocation(reply);
      if (id !== undefined) return written(id, kit);
      const [found, ...others] = (await list()).items.filter(({ name }) => name === kit.name);
      if (found === undefined || others.length > 0) throw madeWithoutId(`the brand kit "${kit.name}"`, reply.context);
      return found;
    },
    async update(id, kit, options) {
      const reply = await writer.send(kit, ({ body }) =>
        session.call("brandKits.put", { ...writing(options), parameters: [id], body }),
      );
      return saysNothing(reply.json) ? written(id, kit) : parse(reply);
    },
    async delete(id, { signal } = {}) {
      await findOrUndefined(session.call("brandKits.delete", { parameters: [id], expects: "document", signal }));
    },
    async extract(source, { signal } = {}) {
      const { json, context } = await session.call("brandKits.extract", { body: jsonBody(source), signal });
      return parseExtractedKit(json, context);
    },
  };
}

// A service that answers nothing has what it was sent.
function written(id: string, { name, colors = [], fonts = [], logos = [] }: BrandKitBody): BrandKit {
  return { id, name, colors, fonts, logos };
}
