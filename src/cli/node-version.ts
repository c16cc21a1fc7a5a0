import { OLDEST_NODE } from "../base/version.ts";

/** Returns an error message if Node is too old to run this program, else `undefined`. */
export function complainOfNode(version: string): string | undefined {
  if (weightOf(version) >= weightOf(OLDEST_NODE)) return undefined;
  return `astro-imprint needs Node ${OLDEST_NODE} or later, and this is Node ${version}. Update it: https://nodejs.org/en/download\n`;
}

// `localeCompare` can compare numbers too, but loads locale data for it, which takes 17 ms.
function weightOf(version: string): number {
  return version.split(".").reduce((sum, part) => sum * 1000 + Number.parseInt(part, 10), 0);
}
