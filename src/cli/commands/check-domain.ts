import { setTimeout as delay } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { CustomDomain } from "../../client/account-api.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { renderDomain } from "../domain-texts.ts";
import { print } from "../print.ts";
import { printable } from "../printable.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { renderTime } from "../table.ts";
import { withApi } from "../with-api.ts";
import { findDomain } from "./domains.ts";

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
    const isActive = createJudge(api);
    const domain = await lookUntilActive(createLook(api, asked, context), { waitMs, context, isActive });
    const isDone = isActive(domain);
    print(domain, { flags, context, text: renderDomain(domain, { isActive: isDone, context }) });
    return isDone ? 0 : 1;
  });
}

type Look = () => Promise<CustomDomain>;

/** Asks for a check where the service takes such a request, else reads what it has found by itself. */
function createLook(api: ImprintApi, asked: CustomDomain, { signal, error }: CliContext): Look {
  let canAsk = true;

  function read(reason: string): Promise<CustomDomain> {
    if (canAsk) error.write(explainReading(asked, reason));
    canAsk = false;
    return findDomain(api, asked.domain, signal);
  }

  return async () => {
    if (!api.capabilities.operations.has("domains.patch")) return await read("Route set B can't ask for a check");
    if (!canAsk) return await read("");
    try {
      return await api.domains.check(asked.domain, { signal });
    } catch (refusal) {
      if (!isUnknownRequest(refusal)) throw refusal;
      return await read("The service takes no request for a check");
    }
  };
}

// How to ask for a check is ours: the specification shows no body for this request.
const UNKNOWN_REQUEST = new Set([400, 405, 415, 422, 501]);

function isUnknownRequest(error: unknown): boolean {
  const isUnreadable = error instanceof ImprintError && error.code === "RESPONSE_UNREADABLE";
  return isUnreadable || UNKNOWN_REQUEST.has(failureOf(error)?.status ?? 0);
}

function explainReading({ lastCheckedAt, nextCheckAt }: CustomDomain, reason: string): string {
  const last = lastCheckedAt === undefined ? "" : ` It looked last at ${renderTime(lastCheckedAt)}.`;
  const next = nextCheckAt === undefined ? "" : ` It looks again at ${renderTime(nextCheckAt)}.`;
  return `${reason}: this is what the service has found by itself.${last}${next}\n`;
}

type Judge = (domain: CustomDomain) => boolean;

/** Whether a domain is set up. Another service than ours may call it by another name. */
function createJudge({ capabilities }: ImprintApi): Judge {
  const isOurs = capabilities.account !== undefined;
  return ({ status = "" }) =>
    isOurs ? status === "active" : /^(?:active|verified|live|connected|ready)$/i.test(status);
}

interface Waiting {
  readonly waitMs: number;
  readonly context: CliContext;
  readonly isActive: Judge;
}

async function lookUntilActive(look: Look, { waitMs, context, isActive }: Waiting): Promise<CustomDomain> {
  const until = Date.now() + waitMs;
  let pauseMs = FIRST_PAUSE_MS;
  let domain = await look();
  let told: string | undefined;
  while (!isActive(domain) && Date.now() + pauseMs <= until) {
    const state = domain.error ?? `It is ${domain.status ?? "not active"}.`;
    if (state !== told) context.error.write(`Waiting. ${printable(state)}\n`);
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

function parseWait(wait: CheckDomainFlags["wait"]): number {
  if (wait === undefined) return 0;
  const minutes = wait === true ? USUAL_WAIT_MINUTES : Number(wait);
  if (Number.isFinite(minutes) && minutes > 0) return minutes * 60_000;
  throw new ImprintError("USAGE", `--wait takes a number of minutes, not "${String(wait)}".`);
}
