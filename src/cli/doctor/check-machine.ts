import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import * as z from "zod";
import { ImprintError } from "../../base/error.ts";
import { isPublished, readBuiltSite } from "../../site/read-site.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { bad, good, warning, type Check } from "./check.ts";

/** Whether what a run remembers can be written. */
export async function checkState(projectRoot: string, identity: string): Promise<Check> {
  try {
    createStateFiles(projectRoot, identity).check();
    return good("State", ".imprint/ can be written");
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    return bad("State", error);
  }
}

const packageSchema = z.object({ engines: z.object({ node: z.string() }) });

/** Whether Node is new enough for this package. */
export async function checkNode(version: string): Promise<Check> {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  const { engines } = packageSchema.parse(JSON.parse(text));
  const least = engines.node.replace(/^\D+/, "");
  if (version.localeCompare(least, "en", { numeric: true }) >= 0) return good("Node", version);
  return bad("Node", { message: `${version} is too old`, hint: `Install Node ${least} or later.` });
}

/** Whether there is a built site that can be published. */
export async function checkDist(dist: string, projectRoot: string): Promise<Check> {
  try {
    const { pages } = await readBuiltSite(dist);
    const count = pages.filter((page) => isPublished(page)).length;
    return good("Built site", `${relative(projectRoot, dist) || "."}, ${count} ${count === 1 ? "page" : "pages"}`);
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    // The integration publishes what it has just built.
    return error.code === "DIST_MISSING" ? warning("Built site", error.message, error.hint) : bad("Built site", error);
  }
}
