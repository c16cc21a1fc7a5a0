import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Note } from "./memory.ts";
import { parseJson } from "../base/json.ts";

// The first edition had a state file with a journal for each target, a journal of created posts, and caches. They are
// read once, when the memory is created.

const NAMES = ["state", "journal.ndjson", "pages.json", "preview-pages.json", "brand.json", "cache/posts"];

const TABLES = ["pages", "assets", "refused", "sending", "uploading"];

/** Tables by kind of journal entry: the table that it changes, then those in which it closes an attempt. */
const ENTRIES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  page: ["pages", "sending"],
  "no-page": ["pages", "sending"],
  sending: ["sending"],
  asset: ["assets", "uploading", "refused"],
  "no-asset": ["assets"],
  uploading: ["uploading"],
  refused: ["refused", "uploading"],
};

const recordSchema = z.record(z.string(), z.unknown());
const entrySchema = z.looseObject({ kind: z.string(), name: z.string().optional(), value: z.unknown().optional() });
const lineSchema = z.looseObject({ op: z.string(), id: z.string(), entry: z.unknown().optional() });

/** Reads the files of the first edition; ignores damaged ones. */
export function readFirstEdition(folder: string): readonly Note[] {
  const states = join(folder, "state");
  const names = existsSync(states) ? readdirSync(states) : [];
  const targets = new Set(names.map((name) => name.replace(/\.(json|journal)$/, "")));
  return [...[...targets].flatMap((target) => readTarget(states, target)), ...readCreations(folder)];
}

/** Deletes them. */
export function removeFirstEdition(folder: string): void {
  for (const name of NAMES) rmSync(join(folder, name), { recursive: true, force: true });
}

function readTarget(folder: string, target: string): readonly Note[] {
  const state = recordSchema.safeParse(parseJson(read(join(folder, `${target}.json`)))).data ?? {};
  const { version: _, ...rest } = state;
  const fields = Object.entries(rest).flatMap(([field, value]) => {
    if (!TABLES.includes(field)) return [{ topic: `${target}/ids`, name: field, value }];
    const table = recordSchema.safeParse(value).data ?? {};
    return Object.entries(table).map(([name, each]) => ({ topic: `${target}/${field}`, name, value: each }));
  });
  return [...fields, ...readJournal(join(folder, `${target}.journal`), target)];
}

// Anything after a truncated line was never confirmed.
function readJournal(file: string, target: string): readonly Note[] {
  const notes: Note[] = [];
  for (const line of read(file).split("\n").slice(0, -1)) {
    const entry = entrySchema.safeParse(parseJson(line)).data;
    if (entry === undefined) break;
    const { kind, name = "", value, ...ids } = entry;
    if (kind === "ids") {
      notes.push(...Object.entries(ids).map(([id, each]) => ({ topic: `${target}/ids`, name: id, value: each })));
      continue;
    }
    const [table, ...closed] = ENTRIES[kind] ?? ["unknown"];
    notes.push({ topic: `${target}/${table}`, name, value });
    notes.push(...closed.map((each) => ({ topic: `${target}/${each}`, name, value: undefined })));
  }
  return notes;
}

function readCreations(folder: string): readonly Note[] {
  const creations = new Map<string, object>();
  for (const text of read(join(folder, "journal.ndjson")).split("\n")) {
    const line = lineSchema.safeParse(parseJson(text)).data;
    if (line === undefined) continue;
    const { op, id, ...rest } = line;
    if (op === "create") creations.set(id, rest);
    else if (op === "confirmed") creations.set(id, { ...creations.get(id), entry: line.entry });
    else if (op !== "ambiguous") creations.delete(id);
  }
  return [...creations].map(([name, value]) => ({ topic: "posts/creations", name, value }));
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
