import { createRequire } from "node:module";
import type * as EntitiesDecode from "entities/decode";

/** Puts characters in place of references such as `&amp;`. */
export function decodeReferences(text: string): string {
  return text.includes("&") ? loadDecoder().decodeHTML(text) : text;
}

/** The same of the value of an attribute, in which fewer of them count. */
export function decodeAttribute(text: string): string {
  return text.includes("&") ? loadDecoder().decodeHTMLAttribute(text) : text;
}

const require = createRequire(import.meta.url);
let decoder: typeof EntitiesDecode | undefined;

// Its tables are unpacked when it is loaded, and a run in which nothing changed reads no page.
function loadDecoder(): typeof EntitiesDecode {
  return (decoder ??= require("entities/decode"));
}
