import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";

/** What an id starts with, by the kind of record. */
export type IdPrefix =
  | "acc"
  | "pg"
  | "st"
  | "as"
  | "bl"
  | "po"
  | "bk"
  | "key"
  | "log"
  | "fm"
  | "sb"
  | "evt"
  | "wh"
  | "msg"
  | "grant"
  | "client"
  | "dm";

/** Gives as many random bytes as it is asked for. */
export type RandomBytes = (size: number) => Uint8Array;

/** An id with 128 random bits, such as `pg_0Zc3…`. */
export function createId(prefix: IdPrefix, random: RandomBytes): string {
  return `${prefix}_${base62(random(RANDOM_BYTES))}`;
}
