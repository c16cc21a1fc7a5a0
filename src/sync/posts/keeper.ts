import { sha256 } from "../../base/hash.ts";
import type { StateFiles } from "../state-files.ts";
import type { JournalLine, PostJournal } from "./journal.ts";
import { blogLedgerSchema } from "./ledger.ts";
import type { BlogLedger, Learned, OpenIntent, PostEntry, PostLedger } from "./ledger.ts";

/** Where the memory of posts is kept. */
export interface PostStore {
  readonly lock: Pick<StateFiles, "readLock" | "writeLock">;
  readonly journal: PostJournal;
  /** Makes the id of one attempt at one post. */
  readonly newId: () => string;
  /** Same on every machine that publishes to the same account of the same service. */
  readonly target: string;
}

/** The memory of one blog's posts while a run works. Every change is on the disk when it returns. */
export interface PostKeeper {
  readonly ledger: PostLedger;
  /** Notes that a post is about to be created; gives the id of the note. */
  intend(intent: Omit<OpenIntent, "id">): Promise<string>;
  /** Notes what came of it, where no post came of it that is known. */
  settle(id: string, result: "refused" | "not-sent" | "absent" | "ambiguous"): Promise<void>;
  /** Notes that a creation succeeded: first in the journal, then in the lock file. */
  confirm(id: string, slug: string, entry: PostEntry): Promise<void>;
  /** Replaces entries by slug; `undefined` forgets one. */
  record(entries: ReadonlyMap<string, PostEntry | undefined>): Promise<void>;
  learn(learned: Partial<Learned>): Promise<void>;
  /** Takes out of the journal what is in the lock file. */
  compact(): Promise<void>;
}

/** Opens the memory of a blog: the lock file, with what a run that was cut off left in the journal. */
export async function openPostKeeper(store: PostStore, blogId: string): Promise<PostKeeper> {
  const { lock, journal } = store;
  const key = sha256(JSON.stringify([store.target, blogId])).slice(0, 16);
  const memory = recall((await lock.readLock()).posts?.[key], { lines: await journal.read(), key });

  async function write(): Promise<void> {
    const { learned, entries } = memory;
    const blog: BlogLedger = { blog: blogId, learned, posts: Object.fromEntries([...entries].toSorted(bySlug)) };
    const current = await lock.readLock();
    await lock.writeLock({ ...current, posts: { ...current.posts, [key]: blog } });
    memory.isBehind = false;
  }

  return {
    get ledger() {
      const { learned, fresh } = memory;
      return { entries: new Map(memory.entries), open: new Map(memory.open), learned, fresh: new Set(fresh) };
    },
    async intend({ slug, uid, source, at }) {
      const id = store.newId();
      await journal.append({ op: "create", id, target: key, slug, uid, source, at: at.toISOString() });
      memory.open.set(slug, { id, slug, uid, source, at });
      return id;
    },
    async settle(id, result) {
      await journal.append({ op: result, id });
      if (result !== "ambiguous") close(memory, id);
    },
    async confirm(id, slug, entry) {
      await journal.append({ op: "confirmed", id, entry });
      memory.entries.set(slug, entry);
      memory.fresh.add(slug);
      close(memory, id);
      await write();
    },
    async record(changes) {
      const changed = [...changes].filter(([slug, entry]) => !isSame(memory.entries.get(slug), entry));
      for (const [slug, entry] of changed) replace(memory, slug, entry);
      if (changed.length > 0 || memory.isBehind) await write();
    },
    async learn(changes) {
      const next = { ...memory.learned, ...changes };
      if (isSame(next, memory.learned)) return;
      memory.learned = next;
      await write();
    },
    async compact() {
      if (memory.isBehind) await write();
      const current = await journal.read();
      const kept = current.filter((line) => isOpen(line.id, current));
      if (kept.length < current.length) await journal.rewrite(kept);
    },
  };
}

interface Memory {
  readonly entries: Map<string, PostEntry>;
  readonly open: Map<string, OpenIntent>;
  learned: Learned;
  /** Slugs of posts that this run created. */
  readonly fresh: Set<string>;
  /** Whether the journal knows more than the lock file. */
  isBehind: boolean;
}

function recall(
  ledger: unknown,
  { lines, key }: { readonly lines: readonly JournalLine[]; readonly key: string },
): Memory {
  const known = blogLedgerSchema.safeParse(ledger).data ?? { learned: {}, posts: {} };
  const { confirmed, open } = foldJournal(lines, key);
  const entries = new Map([...confirmed, ...Object.entries(known.posts)]);
  const isBehind = entries.size > Object.keys(known.posts).length;
  return { entries, open: new Map(open), learned: known.learned, fresh: new Set(), isBehind };
}

function close({ open }: Memory, id: string): void {
  for (const [slug, intent] of open) if (intent.id === id) open.delete(slug);
}

function replace({ entries }: Memory, slug: string, entry: PostEntry | undefined): void {
  if (entry === undefined) entries.delete(slug);
  else entries.set(slug, entry);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function bySlug([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

interface Folded {
  readonly confirmed: ReadonlyMap<string, PostEntry>;
  readonly open: ReadonlyMap<string, OpenIntent>;
}

function foldJournal(lines: readonly JournalLine[], target: string): Folded {
  const confirmed = new Map<string, PostEntry>();
  const open = new Map<string, OpenIntent>();
  for (const line of lines) {
    if (line.op !== "create" || line.target !== target) continue;
    const { id, slug, uid, source, at } = line;
    const end = lines.find((other) => other.op === "confirmed" && other.id === id);
    if (end?.op === "confirmed") confirmed.set(slug, end.entry);
    else if (isOpen(id, lines)) open.set(slug, { id, slug, uid, source, at: new Date(at) });
  }
  return { confirmed, open };
}

function isOpen(id: string, lines: readonly JournalLine[]): boolean {
  return !lines.some((line) => line.id === id && line.op !== "create" && line.op !== "ambiguous");
}
