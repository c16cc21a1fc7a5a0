import { addDomain, checkDomain, patchDomain, removeDomain } from "../../resources/domains.ts";
import { listDomains } from "../../store/domains.ts";
import type { Handlers } from "../call.ts";
import { viewDomains } from "../views.ts";
import { listReply, windowOf, recordReply } from "../reply.ts";

export const DOMAIN_HANDLERS = {
  async "domains.list"({ context, query }) {
    const { items, next } = await listDomains(context.database, context.accountId, windowOf(query, context));
    return listReply({ items: await viewDomains(context, items), next }, { context, view: (record) => record });
  },

  async "domains.create"({ context, body, write }) {
    const reply = await write(async (transaction) => {
      const { domain, outcome } = await addDomain(transaction, body);
      const [record = {}] = await viewDomains(transaction, [domain]);
      return recordReply(record, outcome === "created" ? "/api/custom-domains" : undefined);
    });
    context.domains.wake();
    return reply;
  },

  async "domains.patch"({ context, target, body: { verify, ...patch }, write }) {
    const reply = await write(async (transaction) => {
      const domain = await patchDomain(transaction, target, patch);
      const [record = {}] = await viewDomains(transaction, [domain]);
      return { kind: "record", status: 200, record };
    });
    if (verify !== true) return reply;
    const [record = {}] = await viewDomains(context, [await checkDomain(context, target)]);
    return { kind: "record", status: 200, record };
  },

  async "domains.delete"({ target, write }) {
    return await write(async (context) => {
      await removeDomain(context, target);
      return { kind: "empty", status: 204 };
    });
  },
} as const satisfies Handlers;
