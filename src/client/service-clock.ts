import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { sendPlainly } from "./transport/plain-fetch.ts";

export interface ClockOptions {
  /** The time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly logger: Logger;
}

/**
 * How far the service's clock is ahead of this machine's, in milliseconds and right to about a second; `undefined`
 * where the service does not tell its time. Asks without the key.
 */
export async function readClockSkew(
  baseUrl: string,
  { now = Date.now, signal, logger }: ClockOptions,
): Promise<number | undefined> {
  const before = now();
  try {
    const answer = await sendPlainly(`${baseUrl}/api/pages?limit=1`, { headers: {}, redirect: "manual", signal });
    const told = Date.parse(answer.headers.get("date") ?? "");
    // The header names whole seconds: on average it is half a second behind.
    return Number.isNaN(told) ? undefined : Math.round(told + 500 - (before + now()) / 2);
  } catch (error) {
    logger.debug(`The time of ${baseUrl} can't be read: ${messageOf(error)}`);
    return undefined;
  }
}
