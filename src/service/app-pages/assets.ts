import { readFileSync } from "node:fs";
import { sha256 } from "../../base/hash.ts";

export const STYLE = readAsset("style", "css", "text/css; charset=utf-8");
export const SCRIPT = readAsset("script", "js", "text/javascript; charset=utf-8");

/** A file that the pages load. Its path holds a hash, so that browsers can keep it forever. */
function readAsset(name: string, extension: string, contentType: string) {
  const content = readFileSync(new URL(`./assets/${name}.${extension}`, import.meta.url), "utf8");
  return { path: `/_dashboard/${name}.${sha256(content).slice(0, 12)}.${extension}`, contentType, content };
}
