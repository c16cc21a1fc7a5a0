import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AstroError } from "astro/errors";
import { ImprintError, type ErrorLocation } from "../base/error.ts";
import { ASTRO_CONFIGS } from "../options/parse-options.ts";

/**
 * Converts our errors to Astro's, which it prints with the message, the hint on its own line, and the location: that of
 * the error, or else another one in the project.
 */
export function asAstroError(error: unknown, root?: URL, other?: ErrorLocation): unknown {
  if (!(error instanceof ImprintError)) return error;
  const astroError = new AstroError(`${error.title} ${error.message}`, error.hint);
  // Astro prints the name before the message, where our command line prints the code.
  astroError.name = error.code;
  astroError.cause = error.cause;
  // A stack trace through our code doesn't help users, and Astro would take its first frame for the error's location.
  astroError.stack = "";
  const location = root && findPlace(error.location ?? other, root);
  return location === undefined ? astroError : Object.assign(astroError, { loc: location });
}

function findPlace(location: ErrorLocation | undefined, root: URL): ErrorLocation | undefined {
  if (location === undefined) return undefined;
  const { line = 1, column = 1 } = location;
  const file = join(fileURLToPath(root), location.file);
  return existsSync(file) ? { file, line, column } : undefined;
}

/** Returns where the Astro config of a project calls the integration. */
export function findIntegrationCall(root: URL): ErrorLocation | undefined {
  const file = ASTRO_CONFIGS.find((name) => existsSync(new URL(name, root)));
  if (file === undefined) return undefined;
  const [before = "", after] = readFileSync(new URL(file, root), "utf8").split(/\bimprint\(/);
  return after === undefined ? undefined : { file, line: before.split("\n").length };
}
