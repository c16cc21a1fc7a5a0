import { accessSync, constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import type { Logger } from "../base/log.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { openMemory, withMemory, type Memory, type Note } from "../memory/memory.ts";
import { EMPTY_LOCK, parseLock, renderLock, type Lock } from "./lock.ts";
import { EMPTY_STATE, parseState, STATE_TABLES, type RememberedAsset, type State, type StateIds } from "./state.ts";

/** The stored files of one project and one target. */
export type StateFiles = ReturnType<typeof createStateFiles>;

/** What a run starts with: its state, and what the lock file and the client add. */
export interface RecalledState {
  readonly state: State;
  readonly project: string;
  /** What the client has learned about the host. */
  readonly dialect: State["dialect"];
}

export type StateStore = ReturnType<typeof openStore>;

/**
 * @param projectRoot absolute path of the project, which contains `imprint.lock.json` and the memory in `.imprint/`
 * @param target base address of the service; each target has its own state
 */
export function createStateFiles(projectRoot: string, target: string, logger?: Logger) {
  const lockFile = join(projectRoot, "imprint.lock.json");
  const topic = sha256(target).slice(0, 16);
  // The run lock prevents other runs from changing it in the meantime.
  let known: State | undefined;
  let last: { readonly text: string; readonly lock: Lock } | undefined;
  return {
    async readLock(): Promise<Lock> {
      const text = await readIfThere(lockFile);
      if (text === undefined) return EMPTY_LOCK;
      if (text !== last?.text) last = { text, lock: parseLock(text, lockFile) };
      return last.lock;
    },
    async writeLock(lock: Lock): Promise<void> {
      const text = renderLock(lock);
      if (text !== (await readIfThere(lockFile))) await writeLock(lockFile, text);
    },
    readState: () =>
      (known ??= withMemory(projectRoot, { access: "read", logger }, (memory) => readState(memory, topic))),
    /** Opens the state for a run that changes it. */
    openStore(recalled: RecalledState) {
      const before = known;
      known = undefined;
      const memory = openMemory(projectRoot, { durability: "process", logger });
      return openStore(memory, { topic, recalled, before, onClose: (state) => (known = state) });
    },
    /** Throws `STATE_UNWRITABLE` unless state and lock file can be written; called before anything is sent. */
    check() {
      checkWritable(lockFile);
      withMemory(projectRoot, { durability: "process", logger }, (memory) => {
        const probe = { topic: "probe", name: String(process.pid) };
        memory.write([{ ...probe, value: "ok" }]);
        memory.write([{ ...probe, value: undefined }]);
      });
    },
    /** Forgets the state. */
    remove: () =>
      withMemory(projectRoot, { logger }, (memory) => {
        known = undefined;
        const topics = [...STATE_TABLES, "ids"].map((table) => `${topic}/${table}`);
        memory.write(topics.flatMap((each) => forgetAll(memory, each)));
      }),
  };
}

/** Checks the folder, because a file is written atomically by way of a temporary file beside it. */
function checkWritable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Where a run stores what it learns. */
export interface RunPlace {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Name of the target, the same in every run. */
  readonly identity: string;
  /** Name of the preview; `undefined` for the live site. */
  readonly preview: string | undefined;
  readonly logger?: Logger;
}

/** Opens the files of a run. A preview has its own state, so that it never changes that of the live site. */
export function openRunFiles({ projectRoot, identity, preview, logger }: RunPlace): StateFiles {
  return createStateFiles(projectRoot, preview === undefined ? identity : `${identity} preview ${preview}`, logger);
}

/**
 * Returns the state at the start of a run. The library is shared, so a preview that knows no files takes over those of
 * the live site; later it uses its own, since either may know of a deleted file when the other doesn't.
 *
 * @param own the state from the run's own files
 */
export function withLiveAssets(own: State, { projectRoot, identity, preview }: RunPlace): State {
  if (preview === undefined || Object.keys(own.assets).length > 0) return own;
  const { assets, library, concurrency } = createStateFiles(projectRoot, identity).readState();
  return { ...own, assets, library, concurrency };
}

/** So many versions of a page are distinguished from those of other checkouts. */
const MOST_EARLIER = 5;

/** So many deleted pages are recognized if they come back, such as from a backup. */
const MOST_DELETED = 500;

type PageState = State["pages"][string];

function withEarlier(page: PageState, before: PageState | undefined): PageState {
  if (before === undefined) return page;
  const { hash, earlier } = before;
  return { ...page, earlier: hash === page.hash ? earlier : [hash, ...(earlier ?? [])].slice(0, MOST_EARLIER) };
}

function readState(memory: Memory, topic: string): State {
  const tables = STATE_TABLES.map((table) => [table, Object.fromEntries(memory.read(`${topic}/${table}`))] as const);
  return (
    parseState({ ...Object.fromEntries(memory.read(`${topic}/ids`)), ...Object.fromEntries(tables) }) ?? EMPTY_STATE
  );
}

function forgetAll(memory: Memory, topic: string): readonly Note[] {
  return [...memory.read(topic).keys()].map((name) => ({ topic, name, value: undefined }));
}

interface OpenedState {
  readonly topic: string;
  readonly recalled: RecalledState;
  /** The state if it was read before. */
  readonly before: State | undefined;
  /** Called with the final state. */
  readonly onClose: (state: State) => void;
}

/**
 * The state during a run. Changes are written in the same turn of the event loop, so that a killed run has recorded
 * what it did.
 */
function openStore(memory: Memory, { topic, recalled: { state, project, dialect }, before, onClose }: OpenedState) {
  const { add, flush } = createWriter(memory);
  const stored = before ?? readState(memory, topic);
  const table = openTables(add, { topic, stored });
  let ids: StateIds = table.own;
  const refusals = openRefusals(table.refused);

  const store = {
    get ids(): StateIds {
      return ids;
    },
    /** What the service refused, and why. */
    get refused(): State["refused"] {
      return refusals.all();
    },
    page: (slug: string) => table.pages.values.get(slug),
    asset: (hash: string) => table.assets.values.get(hash),
    rememberIds(changed: StateIds): void {
      ids = { ...ids, ...changed };
      for (const [name, value] of Object.entries(changed)) table.ids.set(name, value);
    },
    /**
     * Notes that a page is about to be sent, and waits until that is written: if the run is killed before it gets the
     * response, the next one recognizes the page as its own.
     */
    async announcePage(slug: string, page: State["sending"][string]): Promise<void> {
      table.sending.set(slug, page);
      await flush();
    },
    /** Notes that a file is about to be uploaded, like `announcePage`, with the key of the attempt. */
    async announceUpload(hash: string, upload: State["uploading"][string]): Promise<void> {
      table.uploading.set(hash, upload);
      await flush();
    },
    /** Notes that a record is about to be created beside others with its name, like `announcePage`. */
    async announceRecord(kind: CreatedKind, namesakes: readonly string[], now: Date): Promise<void> {
      store.rememberIds({ begun: { ...ids.begun, [kind]: [...namesakes] }, createdAt: now.toISOString() });
      await flush();
    },
    /** Stores what identifies a record, and marks its creation as finished. */
    rememberRecord(kind: CreatedKind, known: Pick<StateIds, "siteId" | "wantedSite" | "brandKit" | "blogId">): void {
      store.rememberIds({ ...known, begun: { ...ids.begun, [kind]: undefined } });
    },
    rememberPage(slug: string, page: PageState): void {
      table.sending.set(slug, undefined);
      if (ids.deleted?.includes(slug) === true) store.rememberIds({ deleted: without(slug, ids.deleted) });
      table.pages.set(slug, withEarlier(page, table.pages.values.get(slug)));
    },
    /** Notes that a page was not sent after all. */
    withdrawPage: (slug: string) => table.sending.set(slug, undefined),
    forgetPage: (slug: string) => {
      store.withdrawPage(slug);
      table.pages.set(slug, undefined);
    },
    /** Notes that a page was deleted: if the service shows it again, it is still one of this project. */
    forgetDeleted(slug: string): void {
      store.forgetPage(slug);
      store.rememberIds({ deleted: [...without(slug, ids.deleted), slug].slice(-MOST_DELETED) });
    },
    rememberAsset(hash: string, asset: RememberedAsset, now: Date): void {
      table.uploading.set(hash, undefined);
      refusals.remove(hash);
      table.assets.set(hash, withSince(asset, table.assets.values.get(hash), now));
    },
    forgetAsset: (hash: string) => table.assets.set(hash, undefined),
    /**
     * Records that the service doesn't accept a file, a brand kit, or a slug, and why. What is refused because of the
     * key or a full account is only noted for this run; a file for others after `confirmRefusals`.
     */
    refuse(hash: string, reason: string, of: RefusedBy): void {
      table.uploading.set(hash, undefined);
      refusals.add(hash, reason, of);
    },
    /** Notes that the service accepted something after it refused files, so the refusals were about those files. */
    confirmRefusals: () => refusals.confirm(),
    /** Waits until all state survives a power loss. Throws `STATE_UNWRITABLE`. */
    async save(): Promise<void> {
      await flush();
      memory.sync();
    },
    /** Waits until everything is written, and closes the memory. Throws `STATE_UNWRITABLE`. */
    async close(): Promise<void> {
      try {
        await flush();
        onClose({ ...ids, ...valuesOf(table) });
      } finally {
        memory.close();
      }
    },
  };
  const { siteId, blogId, brandKit, locksFiles, deleted } = state;
  const known = { siteId, blogId, brandKit, locksFiles, deleted };
  store.rememberIds({ project, ...known, dialect: { ...state.dialect, ...dialect } });
  for (const [hash, reason] of Object.entries(state.refused)) refusals.add(hash, reason, "file");
  refusals.confirm();
  return store;
}

function without(slug: string, slugs: readonly string[] = []): string[] {
  return slugs.filter((each) => each !== slug);
}

function withSince({ id, url }: RememberedAsset, before: RememberedAsset | undefined, now: Date): RememberedAsset {
  return { id, url, since: (before?.id === id ? before.since : undefined) ?? now.toISOString() };
}

type CreatedKind = keyof NonNullable<StateIds["begun"]>;

type Tables = { readonly [Name in (typeof STATE_TABLES)[number]]: Table<State[Name][string]> };

function openTables(add: (note: Note) => void, { topic, stored }: { readonly topic: string; readonly stored: State }) {
  const { pages, assets, refused, sending, uploading, ...own } = stored;
  return {
    own,
    ids: openTable<unknown>(add, `${topic}/ids`, own),
    pages: openTable(add, `${topic}/pages`, pages),
    assets: openTable(add, `${topic}/assets`, assets),
    refused: openTable(add, `${topic}/refused`, refused),
    sending: openTable(add, `${topic}/sending`, sending),
    uploading: openTable(add, `${topic}/uploading`, uploading),
  };
}

function valuesOf({ pages, assets, refused, sending, uploading }: Tables): Pick<State, keyof Tables> {
  return {
    pages: pages.record(),
    assets: assets.record(),
    refused: refused.record(),
    sending: sending.record(),
    uploading: uploading.record(),
  };
}

type RefusedBy = "file" | "account" | "record";

// If a service accepts nothing at all, its refusal isn't about a particular file.
function openRefusals(kept: Table<string>) {
  const unconfirmed = new Map<string, string>();
  const ofAccount = new Map<string, string>();
  return {
    all: () => Object.fromEntries([...kept.values, ...unconfirmed, ...ofAccount]),
    add: (hash: string, reason: string, of: RefusedBy) =>
      void { account: ofAccount, file: unconfirmed, record: kept }[of].set(hash, reason),
    remove(hash: string): void {
      ofAccount.delete(hash);
      unconfirmed.delete(hash);
      kept.set(hash, undefined);
    },
    confirm(): void {
      for (const [hash, reason] of unconfirmed) kept.set(hash, reason);
      unconfirmed.clear();
    },
  };
}

type Table<Value> = ReturnType<typeof openTable<Value>>;

function openTable<Value>(add: (note: Note) => void, topic: string, initial: Readonly<Record<string, Value>>) {
  const values = new Map(Object.entries(initial));
  let isChanged = false;
  return {
    values,
    record: () => (isChanged ? Object.fromEntries(values) : initial),
    set(name: string, value: Value | undefined) {
      if (JSON.stringify(values.get(name)) === JSON.stringify(value)) return;
      if (value === undefined) values.delete(name);
      else values.set(name, value);
      isChanged = true;
      add({ topic, name, value });
    },
  };
}

// Responses arrive in bursts, so their notes are written in one transaction.
function createWriter(memory: Memory) {
  let waiting: Note[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;

  async function writeAll(): Promise<void> {
    await nextTurn();
    writing = undefined;
    const notes = waiting;
    waiting = [];
    try {
      memory.write(notes);
    } catch (error) {
      failure = error;
    }
  }

  return {
    add(note: Note): void {
      waiting.push(note);
      writing ??= writeAll();
    },
    /** Throws if anything could not be written. */
    async flush(): Promise<void> {
      await writing;
      if (failure !== undefined) throw failure;
    },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT") return undefined;
    if (code === "EISDIR") {
      const hint = "Move or rename the folder, then run again.";
      throw new ImprintError("STATE_UNREADABLE", `${file} is a folder.`, { cause: error, hint });
    }
    throw new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

async function writeLock(file: string, text: string): Promise<void> {
  try {
    await writeWhole(file, text);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}
