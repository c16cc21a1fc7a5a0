import { ImprintError } from "../../base/error.ts";
import { pluralOf } from "./words.ts";
import type { Outcome, ResourceName } from "../../base/outcome.ts";

/** Adds to the error that ended a run what was done until then: it stays, and is not sent a second time. */
export function describeInterruption(
  thrown: unknown,
  { outcomes, total }: { readonly outcomes: readonly Outcome[]; readonly total: number },
): unknown {
  if (!(thrown instanceof ImprintError)) return thrown;
  const { code, message, hint, location } = thrown;
  return new ImprintError(code, `${message}\n${progressSentence(outcomes, total)}`, {
    cause: thrown,
    location,
    hint:
      code === "ABORTED" ? undefined : `${hint} Running again is safe: what is published is not sent a second time.`,
  });
}

function progressSentence(outcomes: readonly Outcome[], total: number): string {
  const written = outcomes.filter(({ kind, status }) => status === "done" && kind !== "keep");
  const names = new Map<ResourceName, number>();
  for (const { resource } of written) names.set(resource, (names.get(resource) ?? 0) + 1);
  const counts = [...names].map(([name, count]) => `${count} ${count === 1 ? name : pluralOf(name)}`);
  const left = total - outcomes.length;
  const done = counts.length === 0 ? "Nothing was changed until then" : `Sent until then: ${counts.join(", ")}`;
  return left > 0 ? `${done}; ${left} of ${total} steps were not reached.` : `${done}.`;
}
