/** Separator of several tags in one text. */
export type TagSeparator = "comma" | "space";

/** Converts a scalar to text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return undefined;
}

const SWITCH_TEXTS = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "0", "1"]);

/** Whether a value was meant as a boolean, even if written incorrectly. */
export function isSwitchText(value: unknown): boolean {
  return SWITCH_TEXTS.has(textOf(value)?.toLowerCase() ?? "");
}

/** Reads tags from a list or a text. Items may be objects with a `name`; Obsidian's leading `#` is dropped. */
export function tagsOf(value: unknown, separator: TagSeparator): readonly string[] | undefined {
  const names = Array.isArray(value) ? value.map(nameOf) : splitText(textOf(value), separator);
  if (names === undefined || !names.every((name) => name !== undefined)) return undefined;
  return names.map((name) => name.replace(/^#/, "").trim()).filter((name) => name !== "");
}

/** Reads one author name, or several joined by commas. */
export function authorOf(value: unknown): string | undefined {
  const names = (Array.isArray(value) ? value : [value]).map(nameOf);
  if (!names.every((name) => name !== undefined && name !== "")) return undefined;
  return names.length === 0 ? undefined : names.join(", ");
}

/** Reads a path, or an object that contains one: `{ src, alt }`, Starlight's `{ light, dark, alt }`, … */
export function coverOf(value: unknown): { readonly source: string; readonly alt: string | undefined } | undefined {
  if (typeof value === "string") return { source: value.trim(), alt: undefined };
  if (Array.isArray(value)) return coverOf(value[0]);
  if (!isObject(value)) return undefined;
  const source = ["src", "image", "url", "path", "light", "dark"]
    .map((key) => value[key])
    .find((text) => typeof text === "string");
  return typeof source === "string" ? { source: source.trim(), alt: textOf(value["alt"]) } : undefined;
}

function nameOf(value: unknown): string | undefined {
  if (!isObject(value)) return textOf(value);
  return textOf(value["name"] ?? value["title"] ?? value["label"]);
}

function splitText(text: string | undefined, separator: TagSeparator): readonly string[] | undefined {
  return text?.split(separator === "space" ? /[,\s]+/ : /,/);
}

/** Whether a value is a mapping. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
