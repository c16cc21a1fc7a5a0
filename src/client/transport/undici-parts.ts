import { createRequire } from "node:module";
import type * as Undici from "undici";

/** The parts of undici needed for requests. */
export type UndiciParts = Pick<typeof Undici, "buildConnector" | "Client" | "Pool">;

const require = createRequire(import.meta.url);

/**
 * Loads a third of undici: its entry also includes `fetch`, caches, and sockets, which take as long to load as a short
 * command takes to run. The paths aren't a public interface, so `package.json` pins the version, and tests send
 * requests through these parts.
 */
export function loadUndiciParts(): UndiciParts {
  const Dispatcher: typeof Undici.Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
  // As in undici's entry.
  Dispatcher.prototype.request = require("undici/lib/api/api-request.js");
  return {
    buildConnector: require("undici/lib/core/connect.js"),
    Client: require("undici/lib/dispatcher/client.js"),
    Pool: require("undici/lib/dispatcher/pool.js"),
  };
}
