import type { ServiceOptions } from "./host/options.ts";
import { createSplitService, type Service } from "./service.ts";

const APP_URL = "http://localhost:4400";
const PAGES_URL = "http://127.0.0.1:4401";

/**
 * Makes the service as a function from request to response: no port is opened, and the store only with the first
 * request. Requests to `pagesUrl` are answered by the host of published pages, all others by that of the API.
 *
 * @example
 * const service = createService({ ephemeral: true });
 * const answer = await service.fetch(new Request(`${service.baseUrl("a")}/api/pages`, {
 *   headers: { Authorization: `Bearer ${service.apiKey}` },
 * }));
 */
export function createService(options: ServiceOptions = {}): Service {
  return createSplitService(options, {
    appUrl: withoutSlash(options.appUrl ?? APP_URL),
    pagesUrl: withoutSlash(options.pagesUrl ?? PAGES_URL),
  });
}

/** An address without slashes at its end. */
export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
