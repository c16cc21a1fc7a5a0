import { ImprintError } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { withMemory } from "./memory.ts";

// Results of earlier work in a project's memory. Only a cache: missing or damaged entries are recomputed.

export interface CachePlace {
  readonly projectRoot: string;
  /** Name of the cache, such as `pages`. */
  readonly name: string;
  readonly logger: Logger;
}

/** Returns the entries by key; none if the cache can't be read. */
export function readCache({ projectRoot, name, logger }: CachePlace): ReadonlyMap<string, unknown> {
  try {
    return withMemory(projectRoot, { access: "read", logger }, (memory) => memory.read(`cache/${name}`));
  } catch (error) {
    if (error instanceof ImprintError) return new Map();
    throw error;
  }
}

/** Replaces all entries of the cache. Logs a failure as a warning. */
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
    logger.warn(`${error.message}. The next run has to redo the work that the ${name} cache would save.`);
  }
}
