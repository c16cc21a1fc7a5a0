import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../publish.ts";
import { isAnswerable, runImprint, runImprintAtExit } from "../target/own-program.ts";

// What the first build asks at a terminal. A project that was published once is asked nothing.

function isFirst(projectRoot: string): boolean {
  return isAnswerable() && !existsSync(join(projectRoot, "imprint.lock.json"));
}

/**
 * Offers to set a site up whose first build names no service. Whoever takes the offer gets a build of its own, in the place
 * of this one.
 */
export async function offerSetup(projectRoot: string): Promise<void> {
  if (!isFirst(projectRoot)) return;
  const { confirm } = await import("@clack/prompts");
  const message = "imprint has no service to publish to yet. Set it up now? (No: publish to this machine)";
  if ((await confirm({ message })) === true) process.exit(await runImprint(["init"], projectRoot));
}

/** Gives what offers to show a site after it was published for the first time, once the build has ended. */
export function prepareShowing(projectRoot: string): (report: Report) => Promise<void> {
  const isWanted = isFirst(projectRoot);
  return async ({ seeWith, exitCode }) => {
    if (!isWanted || seeWith === undefined || exitCode !== 0) return;
    const { confirm } = await import("@clack/prompts");
    const message = "Start the service and open your site? It runs until you press Ctrl+C.";
    if ((await confirm({ message })) !== true) return;
    // Without `npx imprint`, and without the quotes of a folder's name.
    const words = seeWith.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
    runImprintAtExit([...words.slice(2), "--open"], projectRoot);
  };
}
