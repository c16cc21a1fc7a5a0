import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AstroError } from "astro/errors";
import { ImprintError, type ErrorLocation } from "../base/error.ts";

/** Shows an error of ours the way Astro shows its own: the message, the hint on a line of its own, and the place. */
export function asAstroError(error: unknown, root?: URL): unknown {
  if (!(error instanceof ImprintError)) return error;
  const astroError = new AstroError(`${error.title} ${error.message}`, error.hint);
  // Astro prints the name before the message, as the command line prints the code.
  astroError.name = error.code;
  astroError.cause = error.cause;
  // A trace through our code helps nobody to follow the hint, and Astro would take a place in it for that of the error.
  astroError.stack = "";
  const location = root && findPlace(error.location, root);
  return location === undefined ? astroError : Object.assign(astroError, { loc: location });
}

function findPlace(location: ErrorLocation | undefined, root: URL): ErrorLocation | undefined {
  if (location === undefined) return undefined;
  const { line = 1, column = 1 } = location;
  const file = join(fileURLToPath(root), location.file);
  return existsSync(file) ? { file, line, column } : undefined;
}
