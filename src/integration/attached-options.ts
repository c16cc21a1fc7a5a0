import type { AstroIntegration } from "astro";
import type { ImprintOptions } from "../options/schema.ts";

const OPTIONS = Symbol.for("astro-imprint.options");

/** Puts the options on the integration object, so that the command line finds them in the project's Astro config. */
export function attachOptions(integration: AstroIntegration, options: ImprintOptions): AstroIntegration {
  return Object.defineProperty(integration, OPTIONS, { value: options, enumerable: false });
}
