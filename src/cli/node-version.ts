// The same as `engines` in package.json; a test compares them.
const NEEDED = "22.19.0";

/** What to say to somebody whose Node is too old to run this program; `undefined` when it is not. */
export function complainOfNode(version: string): string | undefined {
  if (version.localeCompare(NEEDED, "en", { numeric: true }) >= 0) return undefined;
  return `astro-imprint needs Node ${NEEDED} or later, and this is Node ${version}. Update it: https://nodejs.org/en/download\n`;
}
