import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ImprintError } from "../base/error.ts";
import type { Desired } from "./desired.ts";
import type { Lock } from "./lock.ts";
import type { RunRequest } from "./run.ts";

/** The site that a lock file was written for. */
type WrittenFor = NonNullable<Lock["writtenFor"]>;

/** Describes a project's site; `undefined` in a run without it, or if the project's `package.json` names no package. */
export function describeProject(
  { only, projectRoot }: Pick<RunRequest, "only" | "projectRoot">,
  { site }: Pick<Desired, "site">,
): WrittenFor | undefined {
  const name = only === "posts" ? undefined : readPackageName(projectRoot);
  return name === undefined ? undefined : { package: name, site: site.name };
}

/**
 * Refuses a lock file that was copied together with its folder, as into a second site of a monorepo: it would make the
 * other site's pages, posts, files and records this one's. A site or a package may be renamed, but hardly both at once.
 *
 * @throws ImprintError `LOCK_COPIED`
 */
export function refuseCopiedLock({ writtenFor: before, targets = {} }: Lock, now: WrittenFor | undefined): void {
  if (before === undefined || now === undefined || Object.keys(targets).length === 0) return;
  if (before.package === now.package || before.site === now.site) return;
  const [that, present] = [before, now].map(({ package: name, site }) => `"${site}" (package ${name})`);
  throw new ImprintError(
    "LOCK_COPIED",
    `imprint.lock.json belongs to the site ${that}, and this is ${present}. Publishing would replace what that site has published. Nothing was sent.`,
    {
      hint: `If this is another site, delete imprint.lock.json and the folder .imprint here. If you renamed it, set "package" in imprint.lock.json to "${now.package}".`,
    },
  );
}

function readPackageName(projectRoot: string): string | undefined {
  try {
    const { name }: { readonly name?: unknown } = Object(
      JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")),
    );
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    // A folder that was built elsewhere needs no manifest.
    return undefined;
  }
}
