import type { Logger } from "../base/log.ts";
import { messageOf } from "../base/error.ts";
import { publishedAddress } from "./published-address.ts";
import { sendPlainly } from "./transport/plain-fetch.ts";

export interface PublicPages {
  /** Address of published pages, with `{slug}` for the slug. */
  readonly pagesAt: string;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
}

/**
 * The HTML that readers get of a page; `undefined` when it can't be had. Asked without the key: the address is not
 * necessarily on the service's own host.
 */
export async function readPublicPage(
  slug: string,
  { pagesAt, logger, signal }: PublicPages,
): Promise<string | undefined> {
  const address = publishedAddress(pagesAt, slug);
  try {
    const request = { signal, redirect: "error", headers: { accept: "text/html" } } as const;
    const { status, bytes } = await sendPlainly(address, request);
    if (status >= 200 && status < 300) return new TextDecoder().decode(bytes);
  } catch (error) {
    signal?.throwIfAborted();
    logger.debug(`${address} can't be read: ${messageOf(error)}`);
  }
  return undefined;
}
