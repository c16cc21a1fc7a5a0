import type { CallOptions } from "../api.ts";
import type { CustomDomain, DomainsApi } from "../account-api.ts";
import { readList } from "../listing.ts";
import { parseDomain } from "../records/records.ts";
import { creation, findOrUndefined, jsonBody } from "../request-parts.ts";
import type { Session } from "../session.ts";

export function createDomains(session: Session): DomainsApi {
  async function patch(domain: string, change: object, { signal }: CallOptions = {}): Promise<CustomDomain> {
    const call = { parameters: [domain], body: jsonBody(change), signal };
    const { json, context } = await session.call("domains.patch", call);
    return parseDomain(json, context);
  }

  return {
    list(options) {
      const names = ["domains", "customDomains"];
      return readList(session, { operation: "domains.list", names, parse: parseDomain, options });
    },
    async create(domain, options) {
      const call = { ...creation(options), body: jsonBody(domain) };
      const { json, context } = await session.call("domains.create", call);
      return parseDomain(json, context);
    },
    update: patch,
    check: (domain, options) => patch(domain, { verify: true }, options),
    async delete({ domain, id }, { signal } = {}) {
      const name = session.routeSet === "a" ? domain : (id ?? domain);
      await findOrUndefined(session.call("domains.delete", { parameters: [name], expects: "document", signal }));
    },
  };
}
