import * as z from "zod";
import { withMemory } from "../../memory/memory.ts";
import { postEntrySchema, type PostEntry } from "./ledger.ts";

const creationSchema = z.object({
  target: z.string(),
  slug: z.string(),
  uid: z.string(),
  source: z.string(),
  at: z.iso.datetime(),
  /** The post, once the service confirmed it. */
  entry: postEntrySchema.optional(),
});

/** A post creation that was started and isn't in the lock file yet. */
export type PostCreation = Readonly<z.infer<typeof creationSchema>>;

/** Creations by attempt id, recorded before they are sent. */
export interface PostJournal {
  /** In the order in which they were started. */
  read(): ReadonlyMap<string, PostCreation>;
  /** Is on disk when it returns. Throws `STATE_UNWRITABLE`; then nothing may be sent. */
  begin(id: string, creation: PostCreation): Promise<void>;
  /** Records that the service confirmed the post. */
  confirm(id: string, entry: PostEntry): Promise<void>;
  forget(ids: readonly string[]): Promise<void>;
}

const TOPIC = "posts/creations";

/** The journal of a project, shared by all targets and blogs. */
export function createPostJournal(projectRoot: string): PostJournal {
  function read(): ReadonlyMap<string, PostCreation> {
    const notes = withMemory(projectRoot, { access: "read" }, (memory) => memory.read(TOPIC));
    const creations = [...notes].flatMap(([id, value]) => {
      const { data } = creationSchema.safeParse(value);
      return data === undefined ? [] : [[id, data] as const];
    });
    return new Map(creations);
  }

  function write(values: ReadonlyMap<string, PostCreation | undefined>): void {
    const notes = [...values].map(([name, value]) => ({ topic: TOPIC, name, value }));
    withMemory(projectRoot, {}, (memory) => memory.write(notes));
  }

  return {
    read,
    begin: async (id, creation) => write(new Map([[id, creation]])),
    async confirm(id, entry) {
      const creation = read().get(id);
      if (creation !== undefined) write(new Map([[id, { ...creation, entry }]]));
    },
    async forget(ids) {
      if (ids.length > 0) write(new Map(ids.map((id) => [id, undefined])));
    },
  };
}
