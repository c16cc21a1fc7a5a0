import { mapPool } from "../../base/pool.ts";
import type { ApplyContext } from "../apply.ts";
import type { PageChange } from "../changes.ts";
import { attempt } from "../../base/outcome.ts";

/** Deletes what the site no longer has. After any failure nothing is deleted: the run did not do what was planned. */
export async function applyDeletes(
  changes: readonly PageChange[],
  context: ApplyContext & { readonly hasFailures: boolean },
): Promise<void> {
  const deletes = changes.filter((change) => change.kind === "delete");
  await mapPool(deletes, context.concurrency, async (change) => {
    const { kind, name, reason, known } = change;
    const summary = { resource: "page", kind, name, reason } as const;
    if (context.hasFailures) {
      const because = "something before it failed, and nothing is deleted after a failure";
      context.onOutcome?.({ ...summary, kind: "blocked", reason: because, status: "skipped" });
      return;
    }
    const outcome = await attempt(summary, async () => {
      await context.api.pages.delete(known.slug, { ifMatch: known.record.version });
      context.store.forgetPage(known.slug);
      return {};
    });
    context.onOutcome?.(outcome);
  });
}
