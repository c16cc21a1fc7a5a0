import type { ImprintApi } from "../api.ts";
import { readList } from "../listing.ts";
import { parseBrandKit, parseExtractedKit } from "../records/parse-brand-kit.ts";
import { creation, findOrUndefined, jsonBody, writing } from "../request-parts.ts";
import type { Session, SessionReply } from "../session.ts";

export function createBrandKits(session: Session): ImprintApi["brandKits"] {
  const parse = ({ json, context }: SessionReply) => parseBrandKit(json, context);
  return {
    list(options) {
      return readList(session, {
        operation: "brandKits.list",
        names: ["brandKits", "kits"],
        parse: parseBrandKit,
        options,
      });
    },
    async get(id, { signal } = {}) {
      const reply = await findOrUndefined(session.call("brandKits.get", { parameters: [id], signal }));
      return reply === undefined ? undefined : parse(reply);
    },
    async create(kit, options) {
      return parse(await session.call("brandKits.create", { ...creation(options), body: jsonBody(kit) }));
    },
    async update(id, kit, options) {
      return parse(await session.call("brandKits.put", { ...writing(options), parameters: [id], body: jsonBody(kit) }));
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
