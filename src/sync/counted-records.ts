import type { Blog, BrandKit, ImprintApi, Site } from "../client/api.ts";
import type { Account } from "../contract/extension-records.ts";
import { ifAnswered, type LibrarySeen } from "./seen.ts";
import type { StateStore } from "./state-store.ts";
import { parseSeenChanges, type State, type StateIds } from "./state.ts";

// Sites, brand kits and blogs are few, and rarely change. If the service counts their changes, a run remembers the
// count together with its own record. While the count is the same, so is the record, and no list is needed. The count
// is from a response before the list, so that another person's change between the two is noticed by the next run. After
// its own writes, a run trusts a newer count only if it is higher by exactly these: otherwise somebody else wrote too,
// and the next run lists again.

/** Records that the project has one of. */
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
  /** ID of the wanted record. */
  readonly id: string | undefined;
}

/** Returns a record as seen by an earlier run if nothing of its kind has changed since; else `undefined`. */
export function recallRecord<Kind extends CountedKind>(
  kind: Kind,
  { api, state, id }: RecallContext,
): OwnRecords[Kind] | undefined {
  const { account } = api.capabilities;
  const seen = state.seenChanges;
  // Records contain addresses, which change with the address of the pages.
  if (seen === undefined || seen.account !== account?.id || seen.pagesUrl !== account.pagesUrl) return undefined;
  const all: Remembered = seen;
  const remembered = all[kind];
  if (remembered === undefined || remembered.record.id !== id) return undefined;
  return isSameReading(remembered.changes, readChanges(account, kind)) ? remembered.record : undefined;
}

/** Tracks the records of a run's project. */
export interface RecordWatch {
  /** Notes a record as found. */
  found<Kind extends CountedKind>(kind: Kind, record: OwnRecords[Kind]): void;
  /** Notes a write and the resulting record; `undefined` if the response doesn't contain it. */
  wrote<Kind extends CountedKind>(kind: Kind, record: OwnRecords[Kind] | undefined): void;
  /** Notes files that were added to a library; `before` is `undefined` if it wasn't completely known. */
  added(files: number, before: LibrarySeen | undefined): void;
  /**
   * Stores the library's fingerprint and, in a run of the whole site, reliable records in the memory. Requests the
   * account again only if something was written.
   */
  remember(store: StateStore, run: { readonly isWhole: boolean }): Promise<void>;
}

export function watchRecords(api: ImprintApi): RecordWatch {
  const { account: before, operations } = api.capabilities;
  const records: { -readonly [Kind in CountedKind]?: OwnRecords[Kind] | undefined } = {};
  const writes: Record<CountedKind, number> = { sites: 0, brandKits: 0, blogs: 0 };
  let library: LibrarySeen | undefined;
  let files = 0;

  // The record is only remembered if all changes are known to be ours.
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
    added(more, known) {
      library = known;
      files += more;
    },
    async remember(store, { isWhole }) {
      // Other runs haven't seen all of the project's own records.
      const isKept = isWhole && before?.changes !== undefined;
      const kinds = KINDS.filter((kind) => records[kind] !== undefined && operations.has(`${kind}.list`));
      const isAdded = files > 0 && library !== undefined;
      const isWritten = isKept && kinds.some((kind) => writes[kind] > 0);
      const [after, newest] = await Promise.all([
        isAdded || isWritten ? ifAnswered(api.readAccount()) : undefined,
        isAdded ? ifAnswered(api.assets.newest()) : undefined,
      ]);
      // With fewer files than expected, somebody deleted some, and the next run lists all. More are fine, as the first
      // run adds probes.
      if (files > 0) {
        const count = after?.usage.assets;
        const isCounted = count !== undefined && library !== undefined && count >= library.count + files;
        store.rememberIds({ library: isCounted && newest !== undefined ? { count, newest: newest.id } : undefined });
      }
      if (!isKept) return;
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

// If a service is sent identical content, it changes nothing and so counts nothing.
function isSameVersion(one: object | undefined, other: object | undefined): boolean {
  const [before, after] = [one, other].map((each) => (each && "version" in each ? each.version : undefined));
  return before !== undefined && before === after;
}

function withoutTimes(record: object): object {
  const isLasting = ([name, value]: [string, unknown]) => !(value instanceof Date) && name !== "replayed";
  return Object.fromEntries(Object.entries(record).filter(isLasting));
}
