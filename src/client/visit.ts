import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { Visit } from "./api.ts";
import { sendPlainly } from "./transport/plain-fetch.ts";

/**
 * What a reader gets at an address; `undefined` when nothing answers there. Asked without the key: the address is not
 * necessarily on the service's own host.
 */
export async function visitAddress(
  address: string,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal | undefined },
): Promise<Visit | undefined> {
  try {
    const request = { signal, redirect: "follow", headers: { accept: "*/*" } } as const;
    const { status, headers, bytes } = await sendPlainly(address, request);
    return { status, contentType: headers.get("content-type") ?? undefined, bytes };
  } catch (error) {
    signal?.throwIfAborted();
    logger.debug(`${address} can't be read: ${messageOf(error)}`);
    return undefined;
  }
}
