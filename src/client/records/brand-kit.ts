import type { BrandColor, BrandFont, BrandLogo } from "../../contract/brand-parts.ts";
import { brandKitRecord } from "../../contract/records.ts";
import { isJsonObject } from "../../base/json.ts";
import { countOf, fieldOf, ID_NAMES, idOf, textOf, type JsonRecord } from "./fields.ts";
import { createRecordReader, findRecord, unreadable, type RecordContext } from "./read-record.ts";

const NAMES = ["brandKit", "kit"];
const { shape: fullShape } = brandKitRecord.full;

const kit = createRecordReader({
  record: brandKitRecord,
  names: NAMES,
  wanted: "brand kit with an ID",
  needs: ["id"],
  fields: {
    id: (record) => idOf(record, "kitId", ...ID_NAMES, "brandKitId"),
    name: ["title"],
    colors: (record) =>
      findEntries(record, { names: ["colors", "colours", "palette"], field: /^(.+?)[-_]?colou?r$/i, read: readColor }),
    fonts: (record) =>
      findEntries(record, { names: ["fonts", "typography"], field: /^(.+?)[-_]?font(?:family)?$/i, read: readFont }),
    logos: (record) => entriesOf(fieldOf(record, "logos", "images")).flatMap(readLogo),
    // Not sent by every service.
    design: (record) => fullShape.design.safeParse(record["design"]).data,
    frame: (record) => fullShape.frame.safeParse(record["frame"]).data,
    version: [],
  },
});

export const parseBrandKit = kit.parse;

/** Reads a kit that was extracted from a web page, which may not be stored and thus may have no id. */
export function parseExtractedKit(json: unknown, context: RecordContext): ReturnType<typeof kit.readParts> {
  const hasParts = (record: JsonRecord) => fieldOf(record, "colors", "fonts", "logos") !== undefined;
  const fits = (record: JsonRecord) => (hasParts(record) ? kit.readParts(record, context) : undefined);
  const found = findRecord(json, { names: NAMES, fits });
  if (found === undefined) throw unreadable("brand kit with colors, fonts or logos", { ...context, json });
  return found;
}

interface Entry {
  readonly role: string | undefined;
  readonly value: unknown;
}

// A list of things, or a map from role to thing: {"primary": "#0a2540"}.
function entriesOf(value: unknown): readonly Entry[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ role: undefined, value: item }));
  return isJsonObject(value) ? Object.entries(value).map(([role, item]) => ({ role, value: item })) : [];
}

interface Parts<Part> {
  /** Fields that contain all parts. */
  readonly names: readonly string[];
  /** A field that is one part, such as `primaryColor`. */
  readonly field: RegExp;
  readonly read: (entry: Entry) => readonly Part[];
}

/** Reads parts from one field, from a field each, or from either among the settings of the kit. */
function findEntries<Part>(record: JsonRecord, parts: Parts<Part>): Part[] {
  const { names, field, read } = parts;
  const found = entriesOf(fieldOf(record, ...names)).flatMap(read);
  if (found.length > 0) return found;
  const named = Object.entries(record).flatMap(([name, value]) => {
    const role = field.exec(name)?.[1]?.toLowerCase();
    return role === undefined ? [] : read({ role, value });
  });
  if (named.length > 0) return named;
  const nested = Object.entries(record).filter(([name]) => !NESTED_OTHERS.has(name));
  return nested.flatMap(([, value]) => (isJsonObject(value) ? findEntries(value, parts) : []));
}

// They have colors and fonts of their own.
const NESTED_OTHERS = new Set(["design", "frame"]);

function readColor({ role, value }: Entry): readonly BrandColor[] {
  const record = isJsonObject(value) ? value : { hex: value };
  const hex = readHex(textOf(record, "hex", "value", "color"));
  if (hex === undefined) return [];
  const name = textOf(record, "name");
  return [{ role: textOf(record, "role") ?? role ?? name ?? "color", hex, name }];
}

/** Reads a color as `#0a2540` or `rgb(10, 37, 64)`. */
function readHex(text: string | undefined): string | undefined {
  const channels = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*[),/]/i.exec(text?.trim() ?? "");
  if (channels === null) return normalHex(text);
  return `#${channels
    .slice(1)
    .map((channel) => Number(channel).toString(16).padStart(2, "0"))
    .join("")}`;
}

function normalHex(text: string | undefined): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text?.trim() ?? "")?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return `#${digits.length < 6 ? digits.replace(/./g, "$&$&") : digits}`;
}

function readFont({ role, value }: Entry): readonly BrandFont[] {
  const record = isJsonObject(value) ? value : { family: value };
  const family = textOf(record, "family", "name", "fontFamily");
  if (family === undefined) return [];
  const weights = fieldOf(record, "weights");
  const fallback = fieldOf(record, "fallback", "fallbacks");
  return [
    {
      family,
      role: textOf(record, "role", "usage") ?? role ?? "text",
      weights: Array.isArray(weights) ? weights.filter((weight) => Number.isInteger(weight)) : undefined,
      source: textOf(record, "source"),
      url: textOf(record, "url", "href", "src"),
      fallback: Array.isArray(fallback) ? fallback.filter((each) => typeof each === "string") : undefined,
    },
  ];
}

function readLogo({ role, value }: Entry): readonly BrandLogo[] {
  const record = isJsonObject(value) ? value : { url: value };
  const url = textOf(record, "url", "href", "src");
  if (url === undefined) return [];
  return [
    {
      kind: textOf(record, "kind", "role", "type") ?? role ?? "logo",
      url,
      contentType: textOf(record, "contentType", "mimeType"),
      width: countOf(record, "width"),
      height: countOf(record, "height"),
      background: normalHex(textOf(record, "background")),
    },
  ];
}
