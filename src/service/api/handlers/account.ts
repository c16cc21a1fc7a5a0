import { describeAccount } from "../../resources/account.ts";
import type { Handlers } from "../call.ts";

export const ACCOUNT_HANDLERS = {
  async "account.get"({ context, routeSet }) {
    return { kind: "json", status: 200, body: { ...(await describeAccount(context, routeSet)) } };
  },
} as const satisfies Handlers;
