import { posix, relative } from "node:path";

/** Where an entry's file stands. */
export interface EntryPlace {
  /** Absolute path of the project. */
  readonly root: string;
  /** Path of the entry's file relative to the project, with forward slashes. */
  readonly file: string;
}

/** The data of an entry with its dates, and its images as paths relative to the file, as authors write them. */
export function decodeEntryData(data: unknown, place: EntryPlace): Readonly<Record<string, unknown>> {
  const decoded = decode(data, place);
  return isRecord(decoded) ? decoded : {};
}

function decode(value: unknown, place: EntryPlace): unknown {
  if (Array.isArray(value)) return value.map((item) => decode(item, place));
  if (!isRecord(value)) return value;
  const date = value["imprint:date"];
  if (typeof date === "string") return new Date(date);
  const image = value["imprint:image"];
  if (typeof image === "string") return sourceOf(image, place);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, place)]));
}

function sourceOf(image: string, { root, file }: EntryPlace): string {
  const path = relative(root, image).replaceAll("\\", "/");
  const way = posix.relative(posix.dirname(file), path);
  return way.startsWith(".") ? way : `./${way}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
