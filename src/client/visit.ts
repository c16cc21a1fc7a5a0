import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { Visit } from "./api.ts";

/**
 * What a reader gets at an address; `undefined` when nothing answers there. Asked without the key: the address is not
 * necessarily on the service's own host.
 */
export async function visitAddress(
  address: string,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal | undefined },
): Promise<Visit | undefined> {
  try {
    const answer = await fetch(address, { signal, redirect: "follow", headers: { accept: "*/*" } });
    const contentType = answer.headers.get("content-type") ?? undefined;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, contentType, bytes };
  } catch (error) {
    signal?.throwIfAborted();
    logger.debug(`${address} can't be read: ${messageOf(error)}`);
    return undefined;
  }
}
