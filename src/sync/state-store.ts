import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import type { Logger } from "../base/log.ts";
import { openMemory, withMemory, type Memory, type Note } from "../memory/memory.ts";
import { EMPTY_LOCK, parseLock, renderLock, type Lock } from "./lock.ts";
import { EMPTY_STATE, parseState, STATE_TABLES, type State, type StateIds } from "./state.ts";

type PageState = State["pages"][string];
type AssetState = State["assets"][string];

/** What is kept of one project and one target. */
export interface StateFiles {
  readLock(): Promise<Lock>;
  writeLock(lock: Lock): Promise<void>;
  readState(): State;
  /** Opens the state for a run that changes it. */
  openStore(recalled: RecalledState): StateStore;
  /** Throws `STATE_UNWRITABLE` unless the state can be written; called before anything is sent. */
  check(): void;
  /** Forgets the state. */
  remove(): void;
}

/** What a run begins with, beside its state: the lock file and the client may know more. */
export interface RecalledState {
  readonly state: State;
  readonly project: string;
  /** What the client has learned of the host. */
  readonly dialect: State["dialect"];
}

/**
 * The state of a run while it works. What is remembered is written in the same turn of the event loop, so that a run that
 * is killed has noted what it did.
 */
export interface StateStore {
  readonly ids: StateIds;
  /** Files that the library refused, by hash, and why. */
  readonly refused: State["refused"];
  page(slug: string): PageState | undefined;
  asset(hash: string): AssetState | undefined;
  rememberIds(ids: StateIds): void;
  /**
   * Notes that a page is about to be sent, and waits until that is written: a run that is killed before it gets the
   * response then knows the page as its own.
   */
  announcePage(slug: string, page: State["sending"][string]): Promise<void>;
  /** Notes that a file is about to be uploaded, as `announcePage` does, with the key of the attempt. */
  announceUpload(hash: string, upload: State["uploading"][string]): Promise<void>;
  rememberPage(slug: string, page: PageState): void;
  forgetPage(slug: string): void;
  rememberAsset(hash: string, asset: AssetState): void;
  forgetAsset(hash: string): void;
  /** Notes that the library does not take a file, and why. */
  refuseAsset(hash: string, reason: string): void;
  /** Waits until all that is remembered survives a loss of power. Throws `STATE_UNWRITABLE`. */
  save(): Promise<void>;
  /** Waits until all is written, and closes the memory. Throws `STATE_UNWRITABLE`. */
  close(): Promise<void>;
}

/**
 * @param projectRoot absolute path of the project: `imprint.lock.json` stands there, the memory in `.imprint/`
 * @param target base address of the service; each target has its own state
 */
export function createStateFiles(projectRoot: string, target: string, logger?: Logger): StateFiles {
  const lockFile = join(projectRoot, "imprint.lock.json");
  const topic = sha256(target).slice(0, 16);
  return {
    async readLock() {
      const text = await readIfThere(lockFile);
      return text === undefined ? EMPTY_LOCK : parseLock(text, lockFile);
    },
    async writeLock(lock) {
      const text = renderLock(lock);
      if (text !== (await readIfThere(lockFile))) await writeWhole(lockFile, text);
    },
    readState: () => withMemory(projectRoot, { access: "read", logger }, (memory) => readState(memory, topic)),
    openStore: (recalled) => openStore(openMemory(projectRoot, { durability: "process", logger }), { topic, recalled }),
    check: () =>
      withMemory(projectRoot, { logger }, (memory) => {
        const probe = { topic: "probe", name: String(process.pid) };
        memory.write([{ ...probe, value: "ok" }]);
        memory.write([{ ...probe, value: undefined }]);
      }),
    remove: () =>
      withMemory(projectRoot, { logger }, (memory) => {
        const topics = [...STATE_TABLES, "ids"].map((table) => `${topic}/${table}`);
        memory.write(topics.flatMap((each) => forgetAll(memory, each)));
      }),
  };
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
}

function openStore(memory: Memory, { topic, recalled: { state, project, dialect } }: OpenedState): StateStore {
  const { add, flush } = createWriter(memory);
  const { pages, assets, refused, sending, uploading, ...own } = readState(memory, topic);

  function openTable<Value>(table: string, initial: Readonly<Record<string, Value>>) {
    const values = new Map(Object.entries(initial));
    return {
      values,
      set(name: string, value: Value | undefined) {
        if (JSON.stringify(values.get(name)) === JSON.stringify(value)) return;
        if (value === undefined) values.delete(name);
        else values.set(name, value);
        add({ topic: `${topic}/${table}`, name, value });
      },
    };
  }

  let ids: StateIds = own;
  const table = {
    ids: openTable<unknown>("ids", own),
    pages: openTable("pages", pages),
    assets: openTable("assets", assets),
    refused: openTable("refused", refused),
    sending: openTable("sending", sending),
    uploading: openTable("uploading", uploading),
  };

  const store: StateStore = {
    get ids() {
      return ids;
    },
    get refused() {
      return Object.fromEntries(table.refused.values);
    },
    page: (slug) => table.pages.values.get(slug),
    asset: (hash) => table.assets.values.get(hash),
    rememberIds(changed) {
      ids = { ...ids, ...changed };
      for (const [name, value] of Object.entries(changed)) table.ids.set(name, value);
    },
    async announcePage(slug, page) {
      table.sending.set(slug, page);
      await flush();
    },
    async announceUpload(hash, upload) {
      table.uploading.set(hash, upload);
      await flush();
    },
    rememberPage(slug, page) {
      table.sending.set(slug, undefined);
      table.pages.set(slug, page);
    },
    forgetPage(slug) {
      table.sending.set(slug, undefined);
      table.pages.set(slug, undefined);
    },
    rememberAsset(hash, asset) {
      table.uploading.set(hash, undefined);
      table.refused.set(hash, undefined);
      table.assets.set(hash, asset);
    },
    forgetAsset: (hash) => table.assets.set(hash, undefined),
    refuseAsset(hash, reason) {
      table.uploading.set(hash, undefined);
      table.refused.set(hash, reason);
    },
    async save() {
      await flush();
      memory.sync();
    },
    async close() {
      try {
        await flush();
      } finally {
        memory.close();
      }
    },
  };
  const { siteId, blogId, brandKit, renamesFiles } = state;
  store.rememberIds({ project, siteId, blogId, brandKit, renamesFiles, dialect: { ...state.dialect, ...dialect } });
  for (const [hash, reason] of Object.entries(state.refused)) store.refuseAsset(hash, reason);
  return store;
}

// Responses come in bunches: what they all teach is one transaction.
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
    /** Throws when anything could not be written. */
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
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

// Written beside and renamed, so that a run that is cut off leaves either the old or the new file.
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}
