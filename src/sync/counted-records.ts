import type { Blog, BrandKit, ImprintApi, Site } from "../client/api.ts";
import type { Account } from "../contract/extension-records.ts";
import { ifAnswered } from "./seen.ts";
import type { StateStore } from "./state-store.ts";
import { parseSeenChanges, type State, type StateIds } from "./state.ts";

// Sites, brand kits and blogs are few, and lists of them say the same run after run. Where the service counts their
// changes, a run remembers the count together with its own record. While the count is the same, so is the record, and the
// list is not asked for. The count is taken from an answer that is older than the list: what somebody else changes
// between the two is then a change to the next run. After writes of its own, a run believes a newer count only if it is
// higher by exactly these: otherwise somebody else wrote too, and the next run lists.

/** Records of the project, of which there is one each. */
export interface OwnRecords {
  readonly sites: Site;
  readonly brandKits: BrandKit;
  readonly blogs: Blog;
}

type CountedKind = keyof OwnRecords;

const KINDS: readonly CountedKind[] = ["sites", "brandKits", "blogs"];

type Reading = NonNullable<NonNullable<StateIds["seenChanges"]>["sites"]>["changes"];
type Remembered = {
  readonly [Kind in CountedKind]?: { readonly changes: Reading; readonly record: OwnRecords[Kind] } | undefined;
};

export interface RecallContext {
  readonly api: ImprintApi;
  readonly state: Pick<State, "seenChanges">;
  /** Id of the record that is looked for. */
  readonly id: string | undefined;
}

/** A record as an earlier run saw it, when nothing of its kind has changed since; else `undefined`. */
export function recallRecord<Kind extends CountedKind>(
  kind: Kind,
  { api, state, id }: RecallContext,
): OwnRecords[Kind] | undefined {
  const { account } = api.capabilities;
  const seen = state.seenChanges;
  // Records hold addresses, which move with the address of the pages.
  if (seen === undefined || seen.account !== account?.id || seen.pagesUrl !== account.pagesUrl) return undefined;
  const all: Remembered = seen;
  const remembered = all[kind];
  if (remembered === undefined || remembered.record.id !== id) return undefined;
  return isSameReading(remembered.changes, readChanges(account, kind)) ? remembered.record : undefined;
}

/** What a run sees of the records of its project while it works. */
export interface RecordWatch {
  /** Notes a record as it was found. */
  found<Kind extends CountedKind>(kind: Kind, record: OwnRecords[Kind]): void;
  /** Notes a write, and the record as it is after it; `undefined` when the answer does not show that. */
  wrote<Kind extends CountedKind>(kind: Kind, record: OwnRecords[Kind] | undefined): void;
  /** Hands over to the memory what may be relied on. Asks for the account again only when something was written. */
  remember(store: StateStore): Promise<void>;
}

export function watchRecords(api: ImprintApi): RecordWatch {
  const { account: before, operations } = api.capabilities;
  const records: { -readonly [Kind in CountedKind]?: OwnRecords[Kind] | undefined } = {};
  const writes: Record<CountedKind, number> = { sites: 0, brandKits: 0, blogs: 0 };

  // What came of the change is known to be ours alone, or it is not remembered.
  function resolve(kind: CountedKind, after: Account | undefined) {
    const record = records[kind];
    const [first, last] = [readChanges(before, kind), readChanges(after, kind)];
    if (record === undefined || first === undefined) return undefined;
    if (writes[kind] === 0) return { changes: first, record: withoutTimes(record) };
    return last?.count === first.count + writes[kind] ? { changes: last, record: withoutTimes(record) } : undefined;
  }

  return {
    found(kind, record) {
      records[kind] = record;
    },
    wrote(kind, record) {
      if (!isSameVersion(records[kind], record)) writes[kind] += 1;
      records[kind] = record;
    },
    async remember(store) {
      if (before?.changes === undefined) return;
      const kinds = KINDS.filter((kind) => records[kind] !== undefined && operations.has(`${kind}.list`));
      const after = kinds.some((kind) => writes[kind] > 0) ? await ifAnswered(api.readAccount()) : undefined;
      const seen = Object.fromEntries(kinds.map((kind) => [kind, resolve(kind, after)]));
      const { id: account, pagesUrl } = before;
      store.rememberIds({ seenChanges: parseSeenChanges({ account, pagesUrl, ...seen }) });
    },
  };
}

function readChanges(account: Account | undefined, kind: CountedKind): Reading | undefined {
  const changes = account?.changes?.[kind];
  return account === undefined || changes === undefined ? undefined : { ...changes, records: account.usage[kind] };
}

function isSameReading(one: Reading, other: Reading | undefined): boolean {
  return one.count === other?.count && one.latest === other.latest && one.records === other.records;
}

// A service that is sent what it has already changes nothing, and so counts nothing.
function isSameVersion(one: object | undefined, other: object | undefined): boolean {
  const [before, after] = [one, other].map((each) => (each && "version" in each ? each.version : undefined));
  return before !== undefined && before === after;
}

function withoutTimes(record: object): object {
  const isLasting = ([name, value]: [string, unknown]) => !(value instanceof Date) && name !== "replayed";
  return Object.fromEntries(Object.entries(record).filter(isLasting));
}
