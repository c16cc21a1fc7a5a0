import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { postEntrySchema } from "./ledger.ts";

const lineSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("create"),
    id: z.string(),
    target: z.string(),
    slug: z.string(),
    uid: z.string(),
    source: z.string(),
    at: z.iso.datetime(),
  }),
  z.object({ op: z.literal("confirmed"), id: z.string(), entry: postEntrySchema }),
  /** Nothing was created. */
  z.object({ op: z.enum(["refused", "not-sent", "absent"]), id: z.string() }),
  z.object({ op: z.literal("ambiguous"), id: z.string() }),
]);

/** One line of the journal of creations. */
export type JournalLine = z.infer<typeof lineSchema>;

/** Creations are written down here before they are sent. */
export interface PostJournal {
  read(): Promise<readonly JournalLine[]>;
  /** Is on the disk when it returns. Throws `STATE_UNWRITABLE`; nothing may be sent then. */
  append(line: JournalLine): Promise<void>;
  /** Replaces all lines. */
  rewrite(lines: readonly JournalLine[]): Promise<void>;
}

export function createPostJournal(file: string): PostJournal {
  return {
    async read() {
      try {
        return parseLines(await readFile(file, "utf8"));
      } catch (error) {
        if (systemCodeOf(error) === "ENOENT") return [];
        throw new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
      }
    },
    append: (line) =>
      guard(file, async () => {
        makeOwnFolder(dirname(file));
        await writeSynced(file, { flag: "a", text: renderLine(line) });
      }),
    rewrite: (lines) =>
      guard(file, async () => {
        if (lines.length === 0) return rm(file, { force: true });
        const beside = `${file}.${process.pid}.tmp`;
        await writeSynced(beside, { flag: "w", text: lines.map(renderLine).join("") });
        await rename(beside, file);
      }),
  };
}

// A line that was cut off was never synced, so nothing was sent for it. It may be followed by whole lines, since each
// line starts with a line break of its own.
function parseLines(text: string): readonly JournalLine[] {
  return text.split("\n").flatMap((line) => {
    const parsed = lineSchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function renderLine(line: JournalLine): string {
  return `\n${JSON.stringify(line)}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeSynced(file: string, { flag, text }: { readonly flag: "a" | "w"; readonly text: string }) {
  const handle = await open(file, flag, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function guard(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}
