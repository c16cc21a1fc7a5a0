import { posix } from "node:path";
import { applyEdits } from "../../html/edits.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { Ask } from "./script-asks.ts";
import { findJoints } from "./joined-strings.ts";
import type { ScriptContext } from "./script-files.ts";
import { HOLE, isJoined } from "./script-places.ts";

// Replaces each character of computed parts, so that all others keep their positions.
const COMPUTED = "\0";
// `{z}`, and `{y}{r}`, as filled in by map libraries.
const FILLED = /(?<=\/)(?:\{-?\w{1,20}\})+/g;

const NAME = String.raw`[\w@-](?:[^"'\`\s\\<>$*(){}[\],;|=&!+?#:]| (?! ))*\.[a-z][a-z0-9]{1,10}`;
/** A string that is only the name, as in `base + "photo.png"`. */
const WHOLE = new RegExp(String.raw`(["'\`])((?:\.{1,2}\/)*${NAME})(?=(?:[?#][^"'\`\s]*)?\1)`, "gi");
/** After the value at the start of a string, as in `${base}photo.png`, or `${base}/photo-${id}.png`. */
const BEHIND = new RegExp(String.raw`(?<=["'\`=,\s]\0+\/?)${NAME}(?=["'\`\s>?#\\])`, "gi");
/** A folder that is a whole string, as in `const folder = "/photos/"`. */
const FOLDER = /(["'`])(\/(?!\/)(?:[^"'`\s\\<>$?#*]| (?! ))+\/)\1/g;
const FETCH = /\bfetch\(\s*(?:new\s+(?:Request|URL)\(\s*)?(?:[\w$.]+\s*\+\s*)?["'`]\0*$/;

/**
 * Finds files that a script references without their folder, which is in a value such as the site's base
 * (`${import.meta.env.BASE_URL}photo.png`), the script's folder, or a library setting.
 */
export function findNames({ text, site, place }: Pick<ScriptContext, "text" | "site" | "place">): readonly Ask[] {
  const hide = (found: string): string => COMPUTED.repeat(found.length);
  const joints = findJoints(text).map(({ start, end }) => ({ start, end, text: COMPUTED.repeat(end - start) }));
  const masked = applyEdits(text, joints).replace(HOLE, hide).replace(FILLED, hide);
  const isFetched = (index: number): boolean => FETCH.test(masked.slice(Math.max(0, index - 100), index));
  const made = (start: number, name: string, isBehind: boolean): readonly Ask[] => {
    const written = name.replace(/\0+/g, "*");
    const type = contentTypeOf(written);
    // Modules are imported by such names.
    if (type === "application/octet-stream" || (kindOf(type) === "script" && !isBehind) || isBuilt(written)) return [];
    const common = { isFetched: isFetched(start), isJoined: true, start, end: start + name.length };
    const addresses = isBehind ? [`${site.base}**/${written.replace(/^(?:\.{1,2}\/)+/, "")}`] : nearby(written);
    return addresses.map((address) => ({
      ...common,
      address,
      isComputed: written.includes("*") || isBehind,
    }));
  };
  // Vite writes lists of these, which nothing reads anymore.
  const isBuilt = (name: string): boolean => name.startsWith(`${site.assetsDir}/`);
  const written = new Set(Array.from(text.matchAll(FOLDER), ([, , folder = ""]) => folder.replace(site.base, "")));
  const paths = written.size === 0 ? [] : [...site.files.keys()];
  const folders = [...written].filter((folder) => paths.some((path) => path.startsWith(folder)));
  /** Relative to the page, the root, the script itself, and folders that it names: the caller may prepend any of these. */
  const nearby = (name: string): readonly string[] => {
    const own = posix.join(posix.dirname(place.file), name);
    const isPart = name.includes("*");
    const below = folders.map((folder) => folder + name);
    const rooted = isPart && !name.includes("/") ? below : [name, own, ...below];
    const known = rooted.filter((path) => (isPart || site.files.has(path)) && !path.startsWith(".") && !isBuilt(path));
    return [...(rooted === below ? [] : [name]), ...known.map((path) => site.base + path)];
  };
  return [
    ...Array.from(masked.matchAll(WHOLE), ({ index, 2: name = "" }) =>
      made(index + 1, name, isJoined(text, index)),
    ).flat(),
    ...Array.from(masked.matchAll(BEHIND), ({ index, 0: name }) =>
      masked[index - 1] === "/" && !name.includes(COMPUTED) ? [] : made(index, name, true),
    ).flat(),
  ];
}
