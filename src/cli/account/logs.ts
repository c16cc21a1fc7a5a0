import { setTimeout as delay } from "node:timers/promises";
import type { ImprintApi } from "../../client/api.ts";
import type { LoggedRequest } from "../../client/resources/requests.ts";
import type { CommandResult } from "../define-commands.ts";
import { renderRequest, renderTime } from "../service-log.ts";
import { requireOperation, type AccountRun } from "./account-command.ts";

const SHOWN = 100;
const EVERY_MS = 1000;

/** `imprint logs`: the latest requests, newest last; with `--follow` also new ones. */
export async function logs(run: AccountRun): Promise<CommandResult> {
  const { flags, withApi } = run;
  return await withApi(async (api) => {
    requireOperation(api, {
      operation: "requests.list",
      action: "show its requests",
      hint: "Use a key with all scopes, or the dashboard.",
    });
    const read = () => readRequests(api, run);
    const requests = await read();
    if (flags.follow === true) return await follow(requests, read, run);
    const text = requests.length === 0 ? "There are no matching requests.\n" : renderRequests(requests, run);
    return { json: requests, text };
  });
}

async function readRequests(api: ImprintApi, { flags, signal }: AccountRun): Promise<readonly LoggedRequest[]> {
  const { path, failed = false } = flags;
  const outcome = failed ? "problem" : undefined;
  return (await api.requests.list({ limit: SHOWN, outcome, path, signal })).toReversed();
}

async function follow(
  first: readonly LoggedRequest[],
  read: () => Promise<readonly LoggedRequest[]>,
  run: AccountRun,
): Promise<0> {
  const { flags, context, signal } = run;
  let known: ReadonlySet<string> = new Set();
  let requests = first;
  try {
    for (;;) {
      const fresh = requests.filter(({ id }) => !known.has(id));
      if (known.size > 0 && fresh.length === SHOWN) {
        context.error.write(`More than ${SHOWN} requests came within a second; the oldest are omitted.\n`);
      }
      context.out.write(flags.json === true ? renderJsonLines(fresh) : renderRequests(fresh, run));
      known = new Set(requests.map(({ id }) => id));
      await delay(EVERY_MS, undefined, { signal });
      requests = await read();
    }
  } catch (error) {
    // Ctrl+C is the regular way to stop.
    if (signal?.aborted !== true) throw error;
    return 0;
  }
}

function renderRequests(requests: readonly LoggedRequest[], { context, paint }: AccountRun): string {
  const lines = requests.map(({ createdAt, operation, problem, ...request }) => {
    const { method, path, status, ms, requestId } = request;
    const fields = { method, path, status, ms, requestId, operation: operation ?? "", problem: problem ?? undefined };
    return `${paint("dim", renderTime(createdAt, context.out))} ${renderRequest(fields, { paint, isError: status >= 500 })}\n`;
  });
  return lines.join("");
}

function renderJsonLines(requests: readonly LoggedRequest[]): string {
  return requests.map((request) => `${JSON.stringify(request)}\n`).join("");
}
