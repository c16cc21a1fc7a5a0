import type { BrandKit } from "../api.ts";
import type { BrandColor, BrandFont, BrandLogo } from "../../contract/records.ts";
import { countOf, fieldOf, idOf, isRecord, textOf, type JsonRecord } from "./fields.ts";
import { findRecord, unreadable, type RecordContext } from "./unwrap.ts";

export function parseBrandKit(json: unknown, context: RecordContext): BrandKit {
  const found =
    findRecord(json, { record: "brandKit", fits: readKit }) ?? findRecord(json, { record: "kit", fits: readKit });
  if (found === undefined) throw unreadable("brand kit with an id", { ...context, json });
  return found;
}

/** A kit that was read from a web page and may not be stored, so that it may have no id. */
export function parseExtractedKit(json: unknown, context: RecordContext): Omit<BrandKit, "id"> {
  const fits = (record: JsonRecord) =>
    ["colors", "fonts", "logos"].some((name) => fieldOf(record, name) !== undefined) ? readParts(record) : undefined;
  const found = findRecord(json, { record: "brandKit", fits }) ?? findRecord(json, { record: "kit", fits });
  if (found === undefined) {
    throw unreadable("brand kit with colors, fonts or logos", { ...context, json });
  }
  return found;
}

function readKit(record: JsonRecord): BrandKit | undefined {
  const id = idOf(record, "kitId", "id", "brandKitId");
  return id === undefined ? undefined : { id, ...readParts(record) };
}

function readParts(record: JsonRecord): Omit<BrandKit, "id"> {
  return {
    name: textOf(record, "name", "title"),
    colors: entriesOf(fieldOf(record, "colors", "colours", "palette")).flatMap(readColor),
    fonts: entriesOf(fieldOf(record, "fonts", "typography")).flatMap(readFont),
    logos: entriesOf(fieldOf(record, "logos", "images")).flatMap(readLogo),
    version: countOf(record, "version"),
  };
}

interface Entry {
  readonly role: string | undefined;
  readonly value: unknown;
}

// A list of things, or a map from role to thing: {"primary": "#0a2540"}.
function entriesOf(value: unknown): readonly Entry[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ role: undefined, value: item }));
  return isRecord(value) ? Object.entries(value).map(([role, item]) => ({ role, value: item })) : [];
}

function readColor({ role, value }: Entry): readonly BrandColor[] {
  const record = isRecord(value) ? value : { hex: value };
  const hex = normalHex(textOf(record, "hex", "value", "color"));
  if (hex === undefined) return [];
  const name = textOf(record, "name");
  return [{ role: textOf(record, "role") ?? role ?? name ?? "color", hex, ...(name === undefined ? {} : { name }) }];
}

function normalHex(text: string | undefined): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text?.trim() ?? "")?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return `#${digits.length < 6 ? digits.replace(/./g, "$&$&") : digits}`;
}

function readFont({ role, value }: Entry): readonly BrandFont[] {
  const record = isRecord(value) ? value : { family: value };
  const family = textOf(record, "family", "name", "fontFamily");
  if (family === undefined) return [];
  const weights = fieldOf(record, "weights");
  const source = textOf(record, "source");
  const url = textOf(record, "url", "href", "src");
  return [
    {
      family,
      role: textOf(record, "role", "usage") ?? role ?? "text",
      ...(Array.isArray(weights) ? { weights: weights.filter((weight) => Number.isInteger(weight)) } : {}),
      ...(source === undefined ? {} : { source }),
      ...(url === undefined ? {} : { url }),
    },
  ];
}

function readLogo({ role, value }: Entry): readonly BrandLogo[] {
  const record = isRecord(value) ? value : { url: value };
  const url = textOf(record, "url", "href", "src");
  if (url === undefined) return [];
  const contentType = textOf(record, "contentType", "mimeType");
  const [width, height] = [countOf(record, "width"), countOf(record, "height")];
  return [
    {
      kind: textOf(record, "kind", "role", "type") ?? role ?? "logo",
      url,
      ...(contentType === undefined ? {} : { contentType }),
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
    },
  ];
}
