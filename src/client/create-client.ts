import type { ImprintApi } from "./api.ts";
import { createApi } from "./create-api.ts";
import { parseConnectionOptions, type ClientOptions } from "./options.ts";
import { createTransport } from "./transport/transport.ts";

/**
 * Makes a client for a service whose route set is known. Sends nothing by itself, so `capabilities` holds what the route
 * set promises and no limits; `connect` also asks the service what it can do.
 *
 * @example
 * const api = createClient({ baseUrl: "http://localhost:4400", apiKey, routeSet: "a" });
 * await api.pages.create({ slug: "hello", title: "Hello", html: "<!doctype html><title>Hello</title>" });
 * await api.close();
 */
export function createClient(options: ClientOptions): ImprintApi {
  const settings = parseConnectionOptions(options);
  const { routeSet, pagesUrl, dialect } = options;
  const { logger } = settings;
  const transport = createTransport(settings);
  return createApi({ transport, routeSet, account: undefined, isProven: false, logger, pagesUrl, dialect });
}
