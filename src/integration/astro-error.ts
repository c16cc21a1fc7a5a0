import { AstroError } from "astro/errors";
import { ImprintError } from "../base/error.ts";

/** Shows an error of ours the way Astro shows its own: the message, and the hint on a line of its own. */
export function asAstroError(error: unknown): unknown {
  if (!(error instanceof ImprintError)) return error;
  const astroError = new AstroError(`${error.title} ${error.message}`, error.hint);
  // Without a place, Astro takes what looks like one in the message.
  const place = error.location === undefined ? {} : { loc: error.location };
  return Object.assign(astroError, { cause: error, ...place });
}
