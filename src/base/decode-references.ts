import { createRequire } from "node:module";
import type * as EntitiesDecode from "entities/decode";

/** Decodes character references such as `&amp;`. */
export function decodeReferences(text: string): string {
  return text.includes("&") ? loadDecoder().decodeHTML(text) : text;
}

/** Decodes character references in an attribute's value, where fewer forms are valid. */
export function decodeAttribute(text: string): string {
  return text.includes("&") ? loadDecoder().decodeHTMLAttribute(text) : text;
}

const require = createRequire(import.meta.url);
let decoder: typeof EntitiesDecode | undefined;

// Loading unpacks its tables, and a run in which nothing changed doesn't parse any page.
function loadDecoder(): typeof EntitiesDecode {
  return (decoder ??= require("entities/decode"));
}
