import { setTimeout as delay } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import type { AuditAction } from "../../contract/people.ts";
import type { PublishFlags } from "../shared-flags.ts";

/** All flags of the account commands; each command accepts those in its definition. */
export interface AccountFlags extends PublishFlags {
  readonly action?: AuditAction;
  readonly alt?: string;
  readonly days?: string;
  readonly description?: string;
  readonly dryRun?: boolean;
  readonly event?: readonly string[];
  readonly expires?: string;
  readonly failed?: boolean;
  readonly field?: readonly string[];
  readonly follow?: boolean;
  readonly force?: boolean;
  readonly form?: string;
  readonly format?: "csv" | "json";
  readonly from?: string;
  readonly github?: boolean;
  readonly keepKeys?: boolean;
  readonly leads?: boolean;
  readonly name?: string;
  readonly none?: boolean;
  readonly out?: string;
  readonly path?: string;
  readonly port?: string;
  readonly previews?: boolean;
  readonly probeUpsert?: boolean;
  readonly redirect?: string;
  readonly role?: string;
  readonly scope?: readonly string[];
  readonly site?: string;
  readonly spam?: boolean;
  readonly unread?: boolean;
  readonly status?: "draft" | "published";
  readonly title?: string;
  readonly to?: string;
  /** In minutes; `true` without a number. */
  readonly wait?: string | true;
  readonly watch?: boolean;
  readonly withPages?: boolean;
  readonly yes?: boolean;
}

export type AccountRun = CommandRun<AccountFlags>;
export type AccountResult = Exclude<CommandResult, number>;

/** Returns the name that equals a flag's value; throws `USAGE` if there is none. */
export function findName<Name extends string>(
  names: readonly Name[],
  text: string,
  { problem, hint }: { readonly problem: string; readonly hint: string },
): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new ImprintError("USAGE", `"${text}" ${problem}.`, { hint });
  return found;
}

interface Search<Item> {
  /** Whether the text identifies the item, as an ID or a slug does and its display name doesn't. */
  readonly isExact: (item: Item) => boolean;
  readonly none: string;
  readonly several: (count: number) => string;
  /** The command that lists them. */
  readonly list: string;
}

/** Finds a record by its ID or the like, else by its name. Throws `USAGE` if none or several match. */
export function findOne<Item extends { readonly id: string; readonly name?: string }>(
  items: readonly Item[],
  text: string,
  { isExact, none, several, list }: Search<Item>,
): Item {
  const exact = items.find(isExact);
  const named = items.filter(({ name }) => name === text);
  const found = exact ?? named[0];
  if (found === undefined) throw new ImprintError("USAGE", none, { hint: `See \`${list}\`.` });
  if (exact !== undefined || named.length === 1) return found;
  const message = `${several(named.length)}: ${named.map(({ id }) => id).join(", ")}.`;
  throw new ImprintError("USAGE", message, { hint: "Name it by its ID." });
}

export interface Need {
  readonly operation: OperationName;
  /** What can't be done without it: "delete a site". */
  readonly action: string;
  /** Default: the other route set, or the dashboard. */
  readonly hint?: string;
}

/** Throws `NOT_SUPPORTED` if the service lacks the operation, before any prompt or request. */
export function requireOperation({ capabilities, baseUrl }: ImprintApi, { operation, action, hint }: Need): void {
  if (capabilities.operations.has(operation)) return;
  const [own, other] = capabilities.routeSet === "a" ? (["A", "B"] as const) : (["B", "A"] as const);
  throw new ImprintError("NOT_SUPPORTED", `${baseUrl} uses route set ${own}, which can't ${action}.`, {
    hint: hint ?? `Use route set ${other} if the service offers it, or the service's dashboard.`,
  });
}

/** Returns a deleted record that a host still lists, as it may only have queued the deletion. Ours deletes at once. */
export async function findListed<Item extends object>(
  { capabilities }: ImprintApi,
  list: () => Promise<{ readonly items: readonly Item[] }>,
  { isSame, signal }: { readonly isSame: (item: Item) => boolean; readonly signal: AbortSignal | undefined },
): Promise<Item | undefined> {
  if (capabilities.account !== undefined) return undefined;
  return await pollUntil(async () => (await list()).items.find(isSame), {
    isEnough: (found) => found === undefined,
    pausesMs: SHOWN_AFTER_MS,
    sleep: (ms) => delay(ms, undefined, { signal }),
  });
}
