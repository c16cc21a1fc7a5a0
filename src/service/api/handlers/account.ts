import { describeAccount } from "../../resources/account.ts";
import type { Handlers } from "../call.ts";
import { renderOpenApi } from "../../../contract/openapi.ts";
import type { Addresses } from "../../resources/addresses.ts";
import { createSignInLink } from "../../auth/sessions.ts";
import { createKey, revokeKey } from "../../resources/keys.ts";
import { ProblemError } from "../../http/problem.ts";
import { listApiKeys } from "../../store/api-keys.ts";
import { viewKey } from "../views.ts";
import { listReply, windowOf } from "../reply.ts";

const VERSION = "1";

type Document = ReturnType<typeof renderOpenApi>;

// Making one takes longer than any other answer, and everybody may ask for it.
const documents = new WeakMap<Addresses, Map<string, Document>>();

export const ACCOUNT_HANDLERS = {
  async "account.get"({ context, routeSet }) {
    return { kind: "json", status: 200, body: { ...(await describeAccount(context, routeSet)) } };
  },

  async "openapi.get"({ context: { addresses }, routeSet }) {
    const known = documents.get(addresses) ?? new Map<string, Document>();
    documents.set(addresses, known);
    const options = { serverUrl: `${addresses.appUrl}/${routeSet}`, version: VERSION };
    const body = known.get(routeSet) ?? renderOpenApi(routeSet, options);
    known.set(routeSet, body);
    return { kind: "json", status: 200, body };
  },

  async "keys.list"({ context, query }) {
    const slice = await listApiKeys(context.database, context.accountId, windowOf(query, context));
    return listReply(slice, { context, view: viewKey });
  },

  async "keys.create"({ body, credential, write }) {
    if (credential === undefined) throw new ProblemError("invalid_token");
    return await write(async (context) => {
      const { text, record } = await createKey(context, body, credential.scopes);
      const location = "/api/keys";
      return { kind: "record", status: 201, record: viewKey(record), shownOnce: { key: text }, location };
    });
  },

  async "keys.delete"({ target, write }) {
    return await write(async (context) => {
      await revokeKey(context, target);
      return { kind: "empty", status: 204 };
    });
  },

  async "signInLinks.create"({ credential, write }) {
    if (credential?.scopes !== null) {
      throw new ProblemError("insufficient_scope", { detail: "Only a key with all scopes opens the dashboard." });
    }
    return await write(async (context) => {
      const { url, expiresAt } = await createSignInLink(context);
      return { kind: "record", status: 201, record: { expiresAt: expiresAt.toISOString() }, shownOnce: { url } };
    });
  },
} as const satisfies Handlers;
