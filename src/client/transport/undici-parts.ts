import { createRequire } from "node:module";
import type * as Undici from "undici";

/** What requests to one origin need of undici. */
export type UndiciParts = Pick<typeof Undici, "buildConnector" | "Client" | "Pool">;

const require = createRequire(import.meta.url);

/**
 * Loads a third of undici: its entry also brings `fetch`, caches and sockets, which take as long to load as a short
 * command takes. The paths are no public interface, so that the version is fixed in `package.json`, and tests send
 * through what they give.
 */
export function loadUndiciParts(): UndiciParts {
  const Dispatcher: typeof Undici.Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
  // As the entry of undici does.
  Dispatcher.prototype.request = require("undici/lib/api/api-request.js");
  return {
    buildConnector: require("undici/lib/core/connect.js"),
    Client: require("undici/lib/dispatcher/client.js"),
    Pool: require("undici/lib/dispatcher/pool.js"),
  };
}
