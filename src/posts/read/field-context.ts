import type { Entry, FieldMapping, FieldName } from "./field-keys.ts";
import type { TagSeparator } from "./field-values.ts";
import type { FrontMatter } from "./front-matter.ts";
import type { StatusVerdict } from "./not-yet.ts";

export interface FieldSettings {
  /** IANA time zone of dates that name none. */
  readonly timeZone: string;
  readonly mapping: FieldMapping;
  /** Keys that mean nothing, whatever they look like; `params.x` for a key below another. */
  readonly ignore: readonly string[];
  /** Own words of a status, and what they say. */
  readonly statuses: Readonly<Record<string, StatusVerdict>>;
  /** What separates tags in one text: commas always, spaces only with `space`. */
  readonly tagSeparator: TagSeparator;
}

/** What the readers of single fields share. */
export interface FieldContext {
  readonly frontMatter: FrontMatter;
  readonly settings: FieldSettings;
  /** The entries that can hold a field, in order of precedence. */
  readonly entries: (field: FieldName) => readonly Entry[];
  /** Reports what is wrong with the value of a key. */
  readonly report: (key: string | undefined, message: string) => void;
  /** Reports what keeps the post on hold until its author says what a key means. */
  readonly doubt: (key: string, message: string) => void;
}
