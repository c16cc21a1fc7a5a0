import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { looksLikeAddress, replaceJsonStrings, replaceMarkup, replaceSrcset } from "../../html/address-texts.ts";
import { createLineFinder } from "../../html/edits.ts";
import { bytesDataAddress, renderPlaceholder, textDataAddress } from "../../html/placeholders.ts";
import type { Target } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { placeAsset } from "./assets.ts";
import { findSegmentTemplates } from "./dash.ts";
import { describeKept, isData, MAX_FOLDER_BYTES, MAX_INLINE_BYTES } from "./data-limits.ts";
import { DASH, hasParts, isMapStyle, replaceAddresses, replaceImagesOfAnimation, replaceParts } from "./file-parts.ts";
import { collectNames } from "./names-in-data.ts";
import type { PlacedAsk } from "./scripts.ts";
import type { RewriteTools } from "./text-context.ts";

export interface PlacedData {
  /** A placeholder or a `data:` address. */
  readonly address: string;
  readonly assets: readonly SiteAsset[];
  readonly warnings?: readonly SiteWarning[];
  /** Whether it is JSON that references pages of the site. */
  readonly namesPages: boolean;
  /** Files that it names relative to an address that only scripts know. */
  readonly named?: readonly PlacedAsk[];
  /** Whether it says that they are relative to itself. */
  readonly refersToThem?: boolean;
}

export interface DataFiles {
  /**
   * Returns where scripts read a file from; `undefined` if it is too large to embed in a page, or while it is being
   * read, such as a play list that names itself.
   *
   * @param keepsNames Whether JSON keeps the addresses of files as written, unless there are many: scripts take names
   *   out of them. Default: false.
   */
  place(path: string, usedIn: string, keepsNames?: boolean): PlacedData | undefined;
}

/** Creates the files that scripts fetch: in the library, or as `data:` addresses. */
export function createDataFiles(tools: RewriteTools): DataFiles {
  const placed = new Map<string, PlacedData | undefined>();
  function place(path: string, usedIn: string, keepsNames = false): PlacedData | undefined {
    const key = `${keepsNames} ${path}`;
    if (!placed.has(key)) {
      placed.set(key, undefined);
      placed.set(key, placeData(path, { ...tools, usedIn, place, keepsNames }));
    }
    const found = placed.get(key);
    return keepsNames && (found?.named?.length ?? 0) > MOST_KEPT ? place(path, usedIn) : found;
  }
  return { place };
}

// The route map of a page lists them.
const MOST_KEPT = 300;

interface DataContext extends RewriteTools, DataFiles {
  readonly usedIn: string;
  readonly keepsNames: boolean;
}

function placeData(path: string, context: DataContext): PlacedData | undefined {
  const { site, settings, usedIn } = context;
  const isPutIn = settings.placement.files === "keep";
  if (isPutIn && (site.files.get(path)?.bytes ?? 0) > MAX_INLINE_BYTES) return undefined;
  const contentType = contentTypeOf(path);
  const { text, ...rest } = readData(path, context);
  if (isPutIn) {
    if (text !== undefined && Buffer.byteLength(text) > MAX_FOLDER_BYTES) return undefined;
    const address =
      text === undefined
        ? bytesDataAddress(contentType, readFileSync(join(site.root, path)))
        : textDataAddress(contentType, text);
    return { ...rest, address };
  }
  const asset =
    text === undefined
      ? context.assets.fromFile(path, { usedIn, optimize: "same-type" })
      : context.assets.fromText(text, { path, kind: "file", assets: rest.assets, usedIn });
  return { ...rest, address: renderPlaceholder(asset.hash), assets: [{ ...asset, isFetched: true }, ...rest.assets] };
}

interface DataText extends Omit<PlacedData, "address"> {
  /** The text with replaced addresses; `undefined`: the file is unchanged. */
  readonly text: string | undefined;
}

// XML, CSV, Markdown, YAML, and other texts, but not HTML, which has rules of its own.
const LISTS = /^(?:text\/(?!html|css|javascript|less)|application\/(?:[\w.+-]*xml|toml)$)/;
const UNKNOWN = contentTypeOf("");
// Data of this size doesn't reference files for a script to show, and would use too much memory.
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

// `$ref: schemas/pet.yaml`, `"$ref": "./pet.json#/Pet"`, `<xs:include schemaLocation="./types.xsd">`
const REFERENCE =
  /\$ref["']?\s*:\s*["']?(?![#/]|[a-z][a-z+.-]*:)[\w.]|\b(?:href|src|schemaLocation|location)\s*=\s*["']\.{1,2}\//i;

/**
 * Files named by JSON, and the parts of a file, are placed where the file itself is. Pages in JSON are resolved by the
 * route map, which knows their original addresses.
 */
function readData(path: string, context: DataContext): DataText {
  const { site, addresses } = context;
  const [contentType, bytes] = [contentTypeOf(path), site.files.get(path)?.bytes ?? 0];
  const isJson = contentType.endsWith("json");
  const isText = isJson || hasParts(contentType) || LISTS.test(contentType);
  if (contentType === UNKNOWN && bytes <= MAX_FOLDER_BYTES) return readUnknown(path, context);
  if (!isText || bytes > MAX_TEXT_BYTES) return { text: undefined, assets: [], namesPages: false };
  const original = readSiteText(site.root, path);
  const [used, warnings]: [SiteAsset[], SiteWarning[]] = [[], []];
  const names = collectNames({ ...context, file: path, text: original });
  const isOfMap = isJson && isMapStyle(original);
  let namesPages = false;
  const put = (target: Target, isPart: boolean): string | undefined => {
    namesPages ||= target.kind === "page";
    const placed = target.kind === "file" ? placeNamed(target.path, isPart, context) : undefined;
    if (placed === undefined) return undefined;
    if ("code" in placed) return void warnings.push({ ...placed, file: path });
    used.push(...placed.assets);
    warnings.push(...(placed.warnings ?? []));
    return placed.address;
  };
  const place = (address: string): string | undefined => put(addresses.resolve(address, path), false);
  const placePart = (address: string): string | undefined => put(addresses.resolve(address, path), true);
  if (contentType === DASH) warnings.push(...warnOfTemplates(original, path));
  const text = hasParts(contentType)
    ? replaceParts(original, contentType, placePart)
    : isJson
      ? replaceJsonStrings(replaceImagesOfAnimation(original, placePart), (value, key, index) => {
          if (value === "/") return undefined;
          if (isOfMap && key === "data" && looksLikeAddress(value)) return placePart(value);
          if (names.note(value, key, index)) return undefined;
          if (looksLikeAddress(value)) return place(value);
          return replaceSrcset(value, place) ?? replaceMarkup(value, place);
        })
      : replaceAddresses(original, place);
  if (!isJson && !hasParts(contentType)) names.noteText();
  const { asks: named, warnings: lost } = names.find();
  warnings.push(...lost);
  const tiles = DEEP_ZOOM.test(original) ? [askForTiles(path, context)] : [];
  return {
    text: text === original ? undefined : text,
    ...{ assets: used, warnings, namesPages },
    named: [...named, ...tiles],
    refersToThem: tiles.length > 0 || REFERENCE.test(original),
  };
}

const DEEP_ZOOM = /<Image\s[^>]*\bxmlns=["']https?:\/\/schemas\.microsoft\.com\/deepzoom\//;

/** A viewer computes the addresses of the tiles of `hall.dzi`: `hall_files/7/0_0.jpg`. */
function askForTiles(path: string, { site }: DataContext): PlacedAsk {
  const address = `${site.base}${encodeURI(path.replace(/\.\w+$/, ""))}_files/*/*`;
  return { address, isComputed: true, isFetched: false, isJoined: true, file: path, line: 1 };
}

/** A text of a format that only scripts know, such as of a bitmap font (`.fnt`), may name files beside it. */
function readUnknown(path: string, context: DataContext): DataText {
  const bytes = readFileSync(join(context.site.root, path));
  const isText = isUtf8(bytes) && !bytes.includes(0);
  const names = collectNames({ ...context, file: path, text: isText ? bytes.toString() : "" });
  names.noteText();
  const { asks: named, warnings } = names.find();
  return { text: undefined, assets: [], warnings, namesPages: false, named };
}

/** Every file has its own address where it is published, which a player can't compute. */
function warnOfTemplates(xml: string, file: string): readonly SiteWarning[] {
  const findLine = createLineFinder(xml);
  return findSegmentTemplates(xml).map(({ start, address }) => {
    const message = `A player computes the addresses of segments, as ${address}, and won't find them where they are published. Name each in a <SegmentList>, or use one file with a <BaseURL>.`;
    return { code: "computed-address", message, file, line: findLine(start) };
  });
}

/** Places a file that another one names: a part of it is loaded with it, any other may be a link to it. */
function placeNamed(
  path: string,
  isPart: boolean,
  context: DataContext,
): PlacedData | ReturnType<typeof describeKept> | undefined {
  const { settings, place, usedIn } = context;
  const contentType = contentTypeOf(path);
  const kind = kindOf(contentType);
  if (kind === "image") return { ...placeAsset(path, context), namesPages: false };
  if (kind !== "file") return undefined;
  if (isPart || settings.placement.files === "library") return place(path, usedIn) ?? describeKept(path);
  return isData(contentType) ? undefined : describeKept(path);
}
