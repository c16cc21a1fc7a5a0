import { isbot } from "isbot";
import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import { parseBeaconMessage, type BeaconMessage, recordLeave, recordView } from "../resources/beacon.ts";
import { type Context, inTransaction } from "../resources/context.ts";
import { ProblemError } from "../http/problem.ts";
import { readBody, addressOf } from "../http/request.ts";
import { refusesCounting } from "./privacy-signals.ts";
import { checkSameOrigin } from "./same-site.ts";

// 50 clicks with long selectors.
const MAX_BYTES = 32 * 1024;

export interface BeaconPost {
  readonly request: Request;
  readonly exchange: RequestContext;
  readonly limiter: RateLimiter;
}

/**
 * Takes a message of the script in a page. What is not counted (a bot, a visitor who refuses, a page that is gone) is
 * answered like what is.
 */
export async function receiveBeacon(core: Core, { request, exchange, limiter }: BeaconPost): Promise<Response> {
  const address = addressOf(request, exchange, core.settings);
  limiter.count({ kind: "address", id: address }, core.now());
  checkSameOrigin(core, request);
  const bytes = await readBody(request, { maxBytes: MAX_BYTES, code: "body_too_large" });
  const message = parseBeaconMessage(new TextDecoder().decode(bytes));
  if (message === undefined) throw new ProblemError("malformed_body");
  const userAgent = request.headers.get("User-Agent") ?? "";
  if (userAgent !== "" && !isbot(userAgent) && !refusesCounting(request)) {
    await record(core, message, { address, userAgent });
  }
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}

async function record(
  core: Core,
  message: BeaconMessage,
  visitor: { readonly address: string; readonly userAgent: string },
): Promise<void> {
  const change = async (context: Context) =>
    message.t === "leave" ? await recordLeave(context, message) : await recordView(context, message, visitor);
  await inTransaction(core.contextOf(core.account.id), change, "shared");
}
