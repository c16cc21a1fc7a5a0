import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import type { Capabilities } from "../client/api.ts";

const findingSchema = z.object({
  kind: z.enum(["served", "unusable", "refused", "unreachable"]),
  why: z.string(),
});

const memorySchema = z.object({
  version: z.literal(1),
  /** When the library was asked. */
  at: z.iso.datetime(),
  /** What the library said that it takes; when that changes, the findings count no more. */
  assetTypes: z.enum(["any", "images"]),
  findings: z.object({
    images: findingSchema,
    drawings: findingSchema,
    scripts: findingSchema,
    styles: findingSchema,
    fonts: findingSchema,
    files: findingSchema,
  }),
});

/** What a project remembers of the library of one service. */
export type RememberedLibrary = z.infer<typeof memorySchema>;

export interface LibraryMemory {
  /** `undefined` when the library was not asked yet, or when what was written is of another version or damaged. */
  read(assetTypes: Capabilities["assetTypes"]): Promise<RememberedLibrary | undefined>;
  /** Throws `STATE_UNWRITABLE`. */
  write(library: RememberedLibrary): Promise<void>;
}

// Beside the state and not in it: `imprint doctor` may ask the library while a run has the state in its hands.
export function createLibraryMemory(projectRoot: string, target: string): LibraryMemory {
  const file = join(projectRoot, ".imprint", "state", `${sha256(target).slice(0, 16)}.library.json`);
  return {
    async read(assetTypes) {
      const library = parseMemory(await readIfThere(file));
      return library?.assetTypes === assetTypes ? library : undefined;
    },
    async write(library) {
      try {
        makeOwnFolder(dirname(file));
        await writeFile(file, `${JSON.stringify(library, undefined, 2)}\n`);
      } catch (error) {
        throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

function parseMemory(text: string): RememberedLibrary | undefined {
  try {
    return memorySchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not there, or cut off: the library is asked again.
    return undefined;
  }
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}
