import { readFileSync } from "node:fs";
import { sha256 } from "../../base/hash.ts";

/** A file that every page of the dashboard loads. Its address holds a hash, so that browsers keep it for good. */
export interface DashboardAsset {
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
}

export const STYLE = read("style", "css", "text/css; charset=utf-8");
export const SCRIPT = read("script", "js", "text/javascript; charset=utf-8");

function read(name: string, extension: string, contentType: string): DashboardAsset {
  const content = readFileSync(new URL(`./assets/${name}.${extension}`, import.meta.url), "utf8");
  return { path: `/_dashboard/${name}.${sha256(content).slice(0, 12)}.${extension}`, contentType, content };
}
