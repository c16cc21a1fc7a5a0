import type { Context } from "../resources/context.ts";
import { settleStep } from "../resources/settle.ts";
import { listUnsettled } from "../store/releases.ts";
import type { Database } from "../store/tables.ts";
import { createQueue, type Queue, type QueueOptions } from "./queue.ts";

export interface SettlerOptions extends QueueOptions {
  readonly database: Database;
  contextOf(accountId: string): Context;
}

// Publishing and startup wake it; polling covers what another process left behind, which readers see regardless.
const POLL_MS = 30_000;

/** Writes the pages of published releases, a few at a time. The next process continues what one left unfinished. */
export function createSettler({ database, contextOf, ...options }: SettlerOptions): Queue<string> {
  const settler = createQueue(
    {
      name: "Writing the pages of releases",
      pollMs: POLL_MS,
      // No claims: two processes that work on one release write each page once.
      leaseMs: POLL_MS,
      listGroups: async () => (await listUnsettled(database)).map(({ accountId, id }) => `${accountId} ${id}`),
      async runNext({ group }) {
        const [accountId = "", id = ""] = group.split(" ");
        return (await settleStep(contextOf(accountId), { accountId, id })) ? id : undefined;
      },
    },
    options,
  );
  settler.wake();
  return settler;
}
