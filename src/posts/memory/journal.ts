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

/**
 * What this machine remembers about posts besides the lock file: creations by attempt id, recorded before they are sent,
 * and the entries that it wrote to the lock file last.
 */
export interface PostJournal {
  /** In the order in which they were started. */
  read(): ReadonlyMap<string, PostCreation>;
  /** Is on disk when it returns. Throws `STATE_UNWRITABLE`; then nothing may be sent. */
  begin(id: string, creation: PostCreation): Promise<void>;
  /** Records that the service confirmed the post. */
  confirm(id: string, entry: PostEntry): Promise<void>;
  forget(ids: readonly string[]): Promise<void>;
  /** The entries of a blog that this machine wrote last, by slug; the lock file may have been restored since. */
  written(target: string): ReadonlyMap<string, PostEntry>;
  /** Records entries that were written; `undefined` forgets one. */
  recordWritten(target: string, entries: ReadonlyMap<string, PostEntry | undefined>): Promise<void>;
}

const TOPIC = "posts/creations";
const writtenTopic = (target: string) => `posts/written/${target}`;

/** The journal of a project, shared by all targets and blogs. */
export function createPostJournal(projectRoot: string): PostJournal {
  function readTopic<Value>(topic: string, schema: z.ZodType<Value>): ReadonlyMap<string, Value> {
    const notes = withMemory(projectRoot, { access: "read" }, (memory) => memory.read(topic));
    const values = [...notes].flatMap(([name, value]) => {
      const { data } = schema.safeParse(value);
      return data === undefined ? [] : [[name, data] as const];
    });
    return new Map(values);
  }

  function writeTopic(topic: string, values: ReadonlyMap<string, unknown>): void {
    const notes = [...values].map(([name, value]) => ({ topic, name, value }));
    withMemory(projectRoot, {}, (memory) => memory.write(notes));
  }

  const read = () => readTopic(TOPIC, creationSchema);
  const write = (values: ReadonlyMap<string, PostCreation | undefined>) => writeTopic(TOPIC, values);

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
    written: (target) => readTopic(writtenTopic(target), postEntrySchema),
    recordWritten: async (target, entries) => writeTopic(writtenTopic(target), entries),
  };
}
