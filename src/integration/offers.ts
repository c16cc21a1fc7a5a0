import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../publish.ts";
import { isAnswerable, runImprint, runImprintAtExit } from "../target/own-program.ts";

// Prompts of the first build on a terminal. A project that was published before gets none.

function isFirst(projectRoot: string): boolean {
  return isAnswerable() && !existsSync(join(projectRoot, "imprint.lock.json"));
}

/**
 * Offers to set up a site if its first build has no service. If accepted, the setup runs its own build in place of this
 * one.
 */
export async function offerSetup(projectRoot: string): Promise<void> {
  if (!isFirst(projectRoot)) return;
  const { confirm } = await import("@clack/prompts");
  const message = "imprint has no service to publish to. Set one up now? (No: publish to this machine)";
  if ((await confirm({ message })) === true) process.exit(await runImprint(["init"], projectRoot));
}

/** Returns a function that offers to open a site after its first publish, once the build has ended. */
export function prepareShowing(projectRoot: string): (report: Report) => Promise<void> {
  const isWanted = isFirst(projectRoot);
  return async ({ seeWith, exitCode }) => {
    if (!isWanted || seeWith === undefined || exitCode !== 0) return;
    const { confirm } = await import("@clack/prompts");
    const message = "Start the service and open your site? It runs until you press Ctrl+C.";
    if ((await confirm({ message })) !== true) return;
    // Removes `npx imprint`, and the quotes around folder names.
    const words = seeWith.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
    runImprintAtExit([...words.slice(2), "--open"], projectRoot);
  };
}
