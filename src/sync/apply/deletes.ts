import { ImprintError } from "../../base/error.ts";
import { attempt, type Outcome } from "../../base/outcome.ts";
import { pollUntil } from "../../base/poll-until.ts";
import { mapPool } from "../../base/pool.ts";
import type { ImprintApi } from "../../client/api.ts";
import { isHiddenStatus } from "../../contract/dialect.ts";
import type { ApplyContext } from "../apply.ts";
import type { PageChange } from "../changes.ts";
import { pausesAt } from "../lateness.ts";
import { butEdited } from "../plan/pages.ts";
import { isThere } from "../seen.ts";
import { unlessEdited } from "./unless-edited.ts";

/** The reason for deleting nothing after a failure. */
export const AFTER_FAILURE = "an earlier step failed, and imprint deletes nothing after a failure";

/** Deletes what the site no longer has, unless there is a reason to keep all of it. */
export async function applyDeletes(
  changes: readonly PageChange[],
  context: ApplyContext & { readonly because: string | undefined },
): Promise<void> {
  const deletes = changes.filter((change) => change.kind === "delete");
  const outcomes = await mapPool(deletes, context.concurrency, async (change): Promise<Outcome> => {
    const { kind, name, reason, known } = change;
    const summary = { resource: "page", kind, name, reason } as const;
    if (context.because !== undefined) {
      return { ...summary, ...LEFT, reason: context.because };
    }
    return await attempt(summary, async () => {
      const changed = await unlessEdited(known, { api: context.api }, (options) =>
        context.api.pages.delete(known.slug, options),
      );
      if (changed.kind === "edited") return { ...LEFT, reason: butEdited(reason, changed) };
      context.store.forgetDeleted(known.slug);
      return {};
    });
  });
  const done = outcomes.filter(({ status }) => status === "done").map(({ name }) => name);
  const { api, clock, signal } = context;
  const still = await findStillThere(done, { api, sleep: (ms) => clock.sleep(ms, signal) });
  for (const outcome of outcomes) {
    const message = `The service confirmed that it deleted the page ${outcome.name}, but still shows it.`;
    context.onOutcome?.(
      still.has(outcome.name)
        ? { ...outcome, status: "failed", error: new ImprintError("NOT_LIVE", message, { hint: DELETE_THERE }) }
        : outcome,
    );
  }
}

const LEFT = { kind: "blocked", status: "skipped", isLeftover: true } as const;
const READS_AT_ONCE = 8;

const DELETE_THERE = "Delete it in the service's dashboard, or run again with `--prune`.";

/** Finds deleted pages that the service still lists and returns. Our own service has deleted what it acknowledges. */
export async function findStillThere(
  slugs: readonly string[],
  { api, sleep }: { readonly api: ImprintApi; readonly sleep: (ms: number) => Promise<void> },
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0 || api.capabilities.account !== undefined) return new Set();
  const deleted = new Set(slugs);
  const find = async () => {
    const { items } = await api.pages.list();
    const listed = items.filter(({ slug, status }) => deleted.has(slug) && !isHiddenStatus(status));
    return await mapPool(listed, READS_AT_ONCE, async ({ slug }) => ((await isThere(slug, api)) ? [slug] : []));
  };
  const found = await pollUntil(find, {
    isEnough: (still) => still.flat().length === 0,
    pausesMs: pausesAt(api.dialect),
    sleep,
  });
  return new Set(found.flat());
}
