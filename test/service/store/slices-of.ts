import { createSlices, type Slices } from "../../../src/service/store/slices.ts";
import type { Database } from "../../../src/service/store/tables.ts";

/** Creates slices that are never interrupted or delayed. */
export function slicesOf(database: Database): Slices {
  return createSlices({ database, closing: new AbortController().signal, isLogLong: () => false });
}
