import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The script of axe for a page, minified: each page that is judged has to parse it. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
