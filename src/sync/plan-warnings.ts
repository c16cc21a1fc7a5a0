import type { PostChange } from "../posts/plan/changes.ts";
import type { SiteWarning } from "../site/model.ts";
import type { PlannedSite } from "./plan-run.ts";

/** Adds warnings to what has some. */
export function withWarnings<Warned extends { readonly warnings: readonly SiteWarning[] }>(
  warned: Warned,
  warnings: readonly SiteWarning[],
): Warned {
  return { ...warned, warnings: [...warned.warnings, ...warnings] };
}

/** Names posts that somebody edited on the service. */
export function describeEditedPosts(changes: readonly PostChange[]): readonly SiteWarning[] {
  return changes.flatMap(({ state, name, file, reason, hint }): SiteWarning[] => {
    if (state !== "changed-remotely") return [];
    return [{ code: "post-edited-there", file, message: `${name}: ${reason}. ${hint ?? ""}`, isNotice: true }];
  });
}

/** Files that are uploaded or inlined have the refusal in their own reason. */
export function describeRefusedLibrary({
  plan: { assets },
  known,
}: Pick<PlannedSite, "plan" | "known">): readonly SiteWarning[] {
  const refusal = known.refused.library;
  if (refusal === undefined || !assets.some(({ kind }) => kind === "keep")) return [];
  const message = `${refusal} Pages keep using the files that the library already has.`;
  return [{ code: "library-refused", file: "service", message, isNotice: true }];
}
