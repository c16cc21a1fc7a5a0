import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** axe's script for a page, minified, because each page has to parse it. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
