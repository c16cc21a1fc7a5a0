import { OLDEST_NODE } from "../base/version.ts";

/** What to say to somebody whose Node is too old to run this program; `undefined` when it is not. */
export function complainOfNode(version: string): string | undefined {
  if (version.localeCompare(OLDEST_NODE, "en", { numeric: true }) >= 0) return undefined;
  return `astro-imprint needs Node ${OLDEST_NODE} or later, and this is Node ${version}. Update it: https://nodejs.org/en/download\n`;
}
