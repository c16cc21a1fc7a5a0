import type { Entry, FieldMapping, FieldName } from "./field-keys.ts";
import type { TagSeparator } from "./field-values.ts";
import type { FrontMatter } from "./front-matter.ts";

export interface FieldSettings {
  /** IANA time zone of dates that name none. */
  readonly timeZone: string;
  readonly mapping: FieldMapping;
  /** What separates tags in one text: commas always, spaces only with `space`. */
  readonly tagSeparator: TagSeparator;
}

/** What the readers of single fields share. */
export interface FieldContext {
  readonly frontMatter: FrontMatter;
  readonly settings: FieldSettings;
  /** The entries that can hold a field, in order of precedence. */
  readonly entries: (field: FieldName) => readonly Entry[];
  /** Tells what is wrong with the value of a key. */
  readonly report: (key: string | undefined, message: string) => void;
}
