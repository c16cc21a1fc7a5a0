import { escapePattern } from "../../base/escape-pattern.ts";
import type { Edit } from "../../html/edits.ts";
import type { PlacedData } from "./data-files.ts";

// `list = new URL("/lists/one.json", location)`
const KEPT = /([\w$]+)\s*=\s*(?:new\s+URL\(\s*)?$/;
const CUT = String.raw`\??\.(?:href\.)?(?:slice|substring|replace|split|match)\(`;

/** Whether data names files that scripts may look for beside it. */
export function namesNeighbors({ named = [] }: Pick<PlacedData, "named">): boolean {
  return named.some(({ address }) => address.startsWith("/"));
}

/** Whether a script resolves other names against an address, or cuts its folder out of it. */
export function isBase(script: string, { start, end }: Pick<Edit, "start" | "end">): boolean {
  const [, name] = KEPT.exec(script.slice(Math.max(0, start - 60), start)) ?? [];
  if (name === undefined) return new RegExp(`^${CUT}`).test(script.slice(end, end + 20));
  const variable = String.raw`(?<![\w$.])${escapePattern(name)}(?![\w$])`;
  const resolved = String.raw`\bnew\s+URL\([^;\n]{1,200}?,\s*(?:new\s+URL\(\s*)?${variable}`;
  return new RegExp(`${resolved}|${variable}${CUT}`).test(script);
}
