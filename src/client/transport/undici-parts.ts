import { createRequire, Module } from "node:module";
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
  const done = deferHttp2();
  const Dispatcher: typeof Undici.Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
  // As the entry of undici does.
  Dispatcher.prototype.request = require("undici/lib/api/api-request.js");
  const parts = {
    buildConnector: require("undici/lib/core/connect.js"),
    Client: require("undici/lib/dispatcher/client.js"),
    Pool: require("undici/lib/dispatcher/pool.js"),
  };
  done();
  return parts;
}

/**
 * Has undici load HTTP/2 with the first connection that speaks it, which none of ours does: Node takes as long to load it
 * and TLS as undici takes. Whoever loads undici after the returned function was called gets it as it is.
 */
function deferHttp2(): () => void {
  const file = require.resolve("undici/lib/dispatcher/client-h2.js");
  if (require.cache[file] !== undefined) return () => {};
  const deferred = new Module(file);
  deferred.loaded = true;
  deferred.exports = (...args: readonly unknown[]) => require(file)(...args);
  require.cache[file] = deferred;
  return () => void delete require.cache[file];
}
