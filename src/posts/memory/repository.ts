import { sha256 } from "../../base/hash.ts";
import type { PostCreation, PostJournal } from "./journal.ts";
import {
  blogLedgerSchema,
  type BlogLedger,
  type Learned,
  type OpenIntent,
  type PostEntry,
  type PostLedger,
  type WrittenOver,
} from "./ledger.ts";

/** The parts of the lock file that posts use. */
interface PostsLock {
  readonly version: 2;
  readonly slugs: Record<string, string>;
  readonly posts?: Record<string, BlogLedger> | undefined;
}

/** Storage for what is remembered about posts. */
export interface PostStore {
  readonly lock: {
    readLock(): Promise<PostsLock>;
    writeLock(lock: PostsLock): Promise<void>;
  };
  readonly journal: PostJournal;
  /** Creates the id of one attempt at one post. */
  readonly newId: () => string;
  /** The same on every machine that publishes to the same account of the same service. */
  readonly target: string;
}

/** What is remembered about one blog's posts during a run. Every change is on disk when its method returns. */
export interface PostRepository {
  /** The current state; it changes with every record. */
  readonly ledger: PostLedger;
  /** Increases with every change of the ledger. */
  readonly version: number;
  /** Records that a post is about to be created. Returns the id of the intent. */
  intend(intent: Omit<OpenIntent, "id">): Promise<string>;
  /** Records the result of an intent that produced no known post. */
  settle(id: string, result: "refused" | "not-sent" | "absent" | "ambiguous"): Promise<void>;
  /** Records a successful creation: immediately in the journal, and soon in the lock file. */
  confirm(id: string, slug: string, entry: PostEntry): Promise<void>;
  /** Replaces entries by slug; `undefined` deletes one. */
  record(entries: ReadonlyMap<string, PostEntry | undefined>): Promise<void>;
  learn(learned: Partial<Learned>): Promise<void>;
  /** Records that the author declared a post new, and that posts of the blog, by id, aren't ours. */
  declareNew(slug: string, others: readonly string[]): Promise<void>;
  /** Records which published posts the posts on hold may be, replacing earlier records. */
  hold(formers: ReadonlyMap<string, readonly string[]>): Promise<void>;
  /** Records over which post of the blog the service wrote a new one. Forgotten once the new one has an entry. */
  recordWrittenOver(slug: string, over: WrittenOver): Promise<void>;
  /** Writes to the lock file what only the journal has, and removes from the journal what is in the lock file. */
  compact(): Promise<void>;
}

/** Returns the name of a blog's ledger in the lock file. */
export function ledgerKey(target: string, blogId: string): string {
  return sha256(JSON.stringify([target, blogId])).slice(0, 16);
}

/** Opens the memory of a blog: the lock file, plus what an interrupted run left in the journal. */
export async function openPostRepository(store: PostStore, blogId: string): Promise<PostRepository> {
  const { lock, journal, target } = store;
  const key = ledgerKey(target, blogId);
  let written: ReadonlyMap<string, PostEntry> | undefined;
  const memory = {
    ...recall((await lock.readLock()).posts?.[key], { creations: journal.read(), key }),
    writtenHere: (slug: string) => (written ??= journal.written(key)).get(slug),
  };
  const write = () => writeLedger(memory, { lock, key, blogId });
  return {
    get ledger() {
      return memory;
    },
    get version() {
      return memory.version;
    },
    async intend({ slug, uid, source, at }) {
      const id = store.newId();
      await journal.begin(id, { target: key, slug, uid, source, at: at.toISOString() });
      memory.open.set(slug, { id, slug, uid, source, at });
      recordChange(memory);
      return id;
    },
    async settle(id, result) {
      if (result === "ambiguous") return;
      await journal.forget([id]);
      close(memory, id);
    },
    async confirm(id, slug, entry) {
      await journal.confirm(id, entry);
      memory.entries.set(slug, entry);
      memory.fresh.add(slug);
      memory.newPosts.delete(slug);
      memory.writtenOver.delete(slug);
      close(memory, id);
      // The journal has every post immediately. Rewriting the whole lock file for each one would be quadratic.
      memory.unwritten += 1;
      if (memory.unwritten * UNWRITTEN_SHARE > memory.entries.size) await write();
    },
    async record(changes) {
      const changed = [...changes].filter(([slug, entry]) => !isSame(memory.entries.get(slug), entry));
      for (const [slug, entry] of changed) replace(memory, slug, entry);
      recordChange(memory);
      if (changed.length > 0 || memory.unwritten > 0) await write();
      if (changed.length > 0) await journal.recordWritten(key, new Map(changed));
    },
    async learn(changes) {
      const next = { ...memory.learned, ...changes };
      if (isSame(next, memory.learned)) return;
      memory.learned = next;
      recordChange(memory);
      await write();
    },
    async declareNew(slug, others) {
      memory.newPosts.add(slug);
      for (const id of others) memory.others.add(id);
      recordChange(memory);
      await write();
    },
    async hold(formers) {
      if (isSame([...formers], [...memory.onHold])) return;
      memory.onHold = formers;
      recordChange(memory);
      await write();
    },
    async recordWrittenOver(slug, over) {
      memory.writtenOver.set(slug, over);
      recordChange(memory);
      await write();
    },
    async compact() {
      if (memory.unwritten > 0) await write();
      const confirmed = [...journal.read()].filter(([, { entry }]) => entry !== undefined);
      await journal.forget(confirmed.map(([id]) => id));
    },
  };
}

interface Memory {
  readonly entries: Map<string, PostEntry>;
  readonly open: Map<string, OpenIntent>;
  learned: Learned;
  /** Slugs of posts that this run created. */
  readonly fresh: Set<string>;
  readonly newPosts: Set<string>;
  readonly others: Set<string>;
  onHold: ReadonlyMap<string, readonly string[]>;
  readonly writtenOver: Map<string, WrittenOver>;
  /** Number of posts in the journal but not in the lock file. */
  unwritten: number;
  version: number;
}

/** The lock file is written when it lacks more than one in this many posts. */
const UNWRITTEN_SHARE = 10;

interface LedgerPlace {
  readonly lock: PostStore["lock"];
  readonly key: string;
  readonly blogId: string;
}

async function writeLedger(memory: Memory, { lock, key, blogId }: LedgerPlace): Promise<void> {
  const { learned, entries, newPosts, others, onHold, writtenOver } = memory;
  const blog: BlogLedger = {
    ...{ blog: blogId, learned, posts: Object.fromEntries([...entries].toSorted(bySlug)) },
    ...(newPosts.size === 0 ? {} : { newPosts: [...newPosts].toSorted() }),
    ...(others.size === 0 ? {} : { others: [...others].toSorted() }),
    ...(onHold.size === 0
      ? {}
      : { onHold: Object.fromEntries([...onHold].toSorted(bySlug).map(([slug, formers]) => [slug, [...formers]])) }),
    ...(writtenOver.size === 0 ? {} : { writtenOver: Object.fromEntries([...writtenOver].toSorted(bySlug)) }),
  };
  const current = await lock.readLock();
  await lock.writeLock({ ...current, posts: { ...current.posts, [key]: blog } });
  memory.unwritten = 0;
}

function recordChange(memory: Memory): void {
  memory.version += 1;
}

function recall(
  ledger: unknown,
  { creations, key }: { readonly creations: ReadonlyMap<string, PostCreation>; readonly key: string },
): Memory {
  const known = blogLedgerSchema.safeParse(ledger).data ?? { learned: {}, posts: {} };
  const entries = new Map<string, PostEntry>();
  const open = new Map<string, OpenIntent>();
  for (const [id, { target, slug, uid, source, at, entry }] of creations) {
    if (target !== key) continue;
    if (entry === undefined) open.set(slug, { id, slug, uid, source, at: new Date(at) });
    else entries.set(slug, entry);
  }
  for (const [slug, entry] of Object.entries(known.posts)) entries.set(slug, entry);
  const unwritten = entries.size - Object.keys(known.posts).length;
  const { newPosts, others, onHold = {}, writtenOver = {} }: Partial<BlogLedger> = known;
  return {
    entries,
    open,
    learned: known.learned,
    fresh: new Set(),
    newPosts: new Set(newPosts),
    others: new Set(others),
    onHold: new Map(Object.entries(onHold)),
    writtenOver: new Map(Object.entries(writtenOver)),
    unwritten,
    version: 0,
  };
}

function close(memory: Memory, id: string): void {
  for (const [slug, intent] of memory.open) if (intent.id === id) memory.open.delete(slug);
  recordChange(memory);
}

function replace({ entries, writtenOver }: Memory, slug: string, entry: PostEntry | undefined): void {
  writtenOver.delete(slug);
  if (entry === undefined) entries.delete(slug);
  else entries.set(slug, entry);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function bySlug([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
