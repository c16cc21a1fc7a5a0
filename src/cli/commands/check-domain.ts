import { setTimeout as delay } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { CustomDomain } from "../../client/domains-api.ts";
import type { CliContext, ExitCode } from "../context.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { renderTime } from "../table.ts";
import { withApi } from "../with-api.ts";
import { findDomain, printDomain } from "./domains.ts";

export interface CheckDomainFlags extends PublishFlags {
  /** In minutes; `true` without a number. */
  readonly wait?: string | true;
}

const USUAL_WAIT_MINUTES = 30;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** `imprint domains check`: 0 when the domain is held and leads to the service, 1 otherwise. */
export async function checkDomainCommand(
  name: string,
  flags: CheckDomainFlags,
  context: CliContext,
): Promise<ExitCode> {
  const waitMs = parseWait(flags.wait);
  return await withApi(flags, context, async (api) => {
    const asked = await findDomain(api, name, context.signal);
    const canAsk = api.capabilities.operations.has("domains.patch");
    if (!canAsk) context.error.write(explainReading(asked));
    const look = canAsk
      ? () => api.domains.check(asked.domain, { signal: context.signal })
      : () => findDomain(api, asked.domain, context.signal);
    const domain = await lookUntilActive(look, { waitMs, context });
    printDomain(domain, flags, context);
    return isActive(domain) ? 0 : 1;
  });
}

// Route set B has no request for a check: the service looks by itself.
function explainReading({ lastCheckedAt, nextCheckAt }: CustomDomain): string {
  const last = lastCheckedAt === undefined ? "" : ` It looked last at ${renderTime(lastCheckedAt)}.`;
  const next = nextCheckAt === undefined ? "" : ` It looks again at ${renderTime(nextCheckAt)}.`;
  return `Route set B can't ask for a check: this is what the service has found by itself.${last}${next}\n`;
}

async function lookUntilActive(
  look: () => Promise<CustomDomain>,
  { waitMs, context }: { readonly waitMs: number; readonly context: CliContext },
): Promise<CustomDomain> {
  const until = Date.now() + waitMs;
  let pauseMs = FIRST_PAUSE_MS;
  let domain = await look();
  let told: string | undefined;
  while (!isActive(domain) && Date.now() + pauseMs <= until) {
    const state = domain.error ?? `It is ${domain.status ?? "not active"}.`;
    if (state !== told) context.error.write(`Waiting. ${state}\n`);
    told = state;
    await delay(pauseMs, undefined, { signal: context.signal }).catch(throwInterrupted);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    domain = await look();
  }
  return domain;
}

function throwInterrupted(cause: unknown): never {
  throw new ImprintError("ABORTED", "The wait was interrupted; the service goes on looking by itself.", { cause });
}

function isActive({ status }: CustomDomain): boolean {
  return status === "active";
}

function parseWait(wait: CheckDomainFlags["wait"]): number {
  if (wait === undefined) return 0;
  const minutes = wait === true ? USUAL_WAIT_MINUTES : Number(wait);
  if (Number.isFinite(minutes) && minutes > 0) return minutes * 60_000;
  throw new ImprintError("USAGE", `--wait takes a number of minutes, not "${String(wait)}".`);
}
