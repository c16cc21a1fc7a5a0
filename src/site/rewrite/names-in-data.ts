import { posix } from "node:path";
import { decodeComponent } from "../../base/decode-component.ts";
import { onceEach } from "../../base/once-each.ts";
import { pluralize } from "../../base/pluralize.ts";
import { looksLikeAddress } from "../../html/address-texts.ts";
import { createLineFinder } from "../../html/edits.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, SiteWarning } from "../model.ts";
import { areFew, describeKept, isData, MAX_INLINE_BYTES } from "./data-limits.ts";
import {
  findPatterns,
  findStem,
  isPattern,
  type NamedFiles,
  type NamesContext,
  type ValueOfMany,
} from "./patterns-in-data.ts";
import type { PlacedAsk } from "./scripts.ts";

const NAME = /^(?:\.{1,2}\/)*[^\s<>"{}:*?/.][^\t\n\r<>"{}:*?]*\.[a-z][a-z0-9]{1,10}$/i;

/** Whether a text may be the relative name of a file, with its ending. */
export function isRelativeName(text: string): boolean {
  return NAME.test(text);
}

// Set apart from the text around it.
const IN_TEXT = /(?<![\w.~%@:/\\*+-])(?:\.{1,2}\/)*[\w-][\w.~%@/-]{0,200}\.[a-z][a-z0-9]{1,10}(?![\w~%/?&*@+-]|\.\w)/gi;

export interface DataNames {
  /** Notes a value that stays as it is, with the nearest key before it. Returns whether it is one. */
  note(value: string, key: string | undefined, index: number): boolean;
  /** Notes the relative names in a text whose format is unknown. */
  noteText(): void;
  find(): NamedFiles;
}

/** Collects what data for scripts names in a way that only scripts resolve. */
export function collectNames(context: NamesContext): DataNames {
  const names = new Map<string, number>();
  const patterns: ValueOfMany[] = [];
  return {
    note(value, key, index) {
      if (isPattern(value)) patterns.push({ value, key, index });
      else if (isRelativeName(value) || staysAsItIs(value, context)) names.set(value, index);
      else {
        const paths = findStem(value, context);
        for (const path of paths) names.set(context.site.base + encodeURI(path), index);
        return paths.length > 0;
      }
      return true;
    },
    noteText() {
      for (const { index, 0: name } of context.text.matchAll(IN_TEXT)) names.set(name, index);
    },
    find() {
      const found = [findNamedFiles(names, context), findPatterns(patterns, context)];
      return { asks: found.flatMap(({ asks }) => asks), warnings: found.flatMap(({ warnings }) => warnings) };
    },
  };
}

/** Whether it is the address of a file that scripts need as written, or of JSON that the page contains. */
function staysAsItIs(value: string, { addresses, settings, file, keepsNames = false }: NamesContext): boolean {
  const isPutIn = settings.placement.files === "keep";
  if (!looksLikeAddress(value) || !(keepsNames || isPutIn)) return false;
  const target = addresses.resolve(value, file);
  return target.kind === "file" && (keepsNames || contentTypeOf(target.path).endsWith("json"));
}

/**
 * Finds the files of names: only a script knows whether a name is relative to the data, the page, or
 * the root. The names stay, so the route map has to list the files.
 *
 * @param names with their positions in the data
 */
function findNamedFiles(names: ReadonlyMap<string, number>, context: NamesContext): NamedFiles {
  const { site, settings, file, text } = context;
  const isPutIn = settings.placement.files === "keep";
  const findLine = createLineFinder(text);
  const known = [...names].filter(([name]) => namesOf(site).has(fold(name)));
  const found = known.map(([name, index]) => ({ name, line: findLine(index), paths: pathsOf(name, context) }));
  const isTooLarge = (path: string): boolean =>
    isPutIn && isPlain(path) && (site.files.get(path)?.bytes ?? 0) > MAX_INLINE_BYTES;
  // What isn't found here may be found from the page.
  const paths = [...new Set(found.flatMap((each) => (each.paths.length === 0 ? each.name : each.paths)))];
  const kept = paths.filter(isTooLarge);
  const groups = Map.groupBy(
    paths.filter((path) => !isTooLarge(path)),
    (path) => kindOf(contentTypeOf(path)),
  );
  const few = new Set([...groups.values()].filter((group) => areFew(group, NOT_FETCHED, context)).flat());
  const warnings = kept.map((path): SiteWarning => ({ ...describeKept(path), file }));
  for (const group of groups.values()) {
    if (group.some((path) => few.has(path))) continue;
    const isPut = isPutIn && kindOf(contentTypeOf(group[0] ?? "")) === "file";
    const advice = isPut ? "put what they contain into fewer" : "name them by their addresses from the root";
    const message = `${file} names ${pluralize(group.length, "file")}, such as ${group[0]}. These are too many to list in the page that requests it, so none of them will be found: ${advice}.`;
    warnings.push({ code: "fetched-file", message, file });
  }
  const asks = found.flatMap(({ name, line, paths: own }): PlacedAsk[] => {
    const listed = own.filter((path) => few.has(path));
    if (own.length === 0 ? !few.has(name) : listed.length === 0) return [];
    const addresses = [name, ...listed.map((path) => site.base + encodeURI(path))];
    return addresses.map((address) => ({ ...NOT_FETCHED, address, isComputed: false, isJoined: true, file, line }));
  });
  return { asks, warnings };
}

const NOT_FETCHED = { isFetched: false };

const namesOf = onceEach((site: BuiltSite) => new Set(Array.from(site.files.keys(), fold)));

/** Copies from macOS have decomposed names. */
function fold(path: string): string {
  return decodeComponent(posix.basename(path)).normalize("NFC");
}

/** Whether a file isn't data, which scripts read rather than show. */
function isPlain(path: string): boolean {
  const type = contentTypeOf(path);
  return kindOf(type) === "file" && !isData(type);
}

/** The files with a name below the root, and relative to the data. */
function pathsOf(name: string, { addresses, site, file }: NamesContext): readonly string[] {
  const paths = [name, site.base + name].flatMap((address) => {
    const target = addresses.resolve(address, file);
    return target.kind === "file" && /^(?:image|file)$/.test(kindOf(contentTypeOf(target.path))) ? [target.path] : [];
  });
  return [...new Set(paths)];
}
