import { ImprintError } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { withMemory } from "./memory.ts";

// Results of earlier work, kept in the memory of a project. Not the truth: what is missing or damaged is made again.

export interface CachePlace {
  readonly projectRoot: string;
  /** What the cache holds, such as `pages`. */
  readonly name: string;
  readonly logger: Logger;
}

/** Entries by key; none when the cache can't be read. */
export function readCache({ projectRoot, name, logger }: CachePlace): ReadonlyMap<string, unknown> {
  try {
    return withMemory(projectRoot, { access: "read", logger }, (memory) => memory.read(`cache/${name}`));
  } catch (error) {
    if (error instanceof ImprintError) return new Map();
    throw error;
  }
}

/** Puts entries in place of all that the cache holds. A failure is a warning. */
export function replaceCache({ projectRoot, name, logger }: CachePlace, entries: ReadonlyMap<string, unknown>): void {
  const topic = `cache/${name}`;
  try {
    withMemory(projectRoot, { logger }, (memory) => {
      const gone = [...memory.read(topic).keys()].filter((key) => !entries.has(key));
      memory.write([
        ...gone.map((key) => ({ topic, name: key, value: undefined })),
        ...[...entries].map(([key, value]) => ({ topic, name: key, value })),
      ]);
    });
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    logger.warn(`${error.message}. What the cache of ${name} would save is done again in the next run.`);
  }
}
