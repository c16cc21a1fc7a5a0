import { posix } from "node:path";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, SiteWarning } from "../model.ts";
import type { PageDraft } from "./page-draft.ts";
import type { ScriptContext } from "./script-files.ts";
import { warningAt } from "./text-context.ts";

/** What a script contains of addresses whose other part is elsewhere in the page. */
export interface ImageParts {
  /** Folders that are whole strings, below the site's base. */
  readonly folders: readonly string[];
  /** Names of images that are whole strings, without a folder. */
  readonly names: readonly string[];
  /** Whether it reads the image of a style, in whose folder it looks for others, as Leaflet does. */
  readonly readsStyles: boolean;
}

const FOLDER = /(["'`])(\/(?!\/)(?:[^"'`\s\\<>$?#*]| (?! ))*\/)\1/g;
const NAME = /(["'`])([\w@-][\w@.-]*\.(?:png|jpe?g|gif|svg|webp|avif))\1/gi;
const READS_STYLE = /^(?=[^]*getComputedStyle\()[^]*\bbackground-?image\b/i;
const CHANGES_STYLE =
  /getComputedStyle\([^()]*\)\s*(?:\.\s*background(?:Image)?|\.getPropertyValue\(\s*["'`]background(?:-image)?["'`]\s*\))\s*\.\s*(?:replace|slice|split|substring|substr|match)\(/;

export function findImageParts({ text, site, runsIn }: ScriptContext): ImageParts {
  if (runsIn === "worker") return { folders: [], names: [], readsStyles: false };
  const written = Array.from(text.matchAll(FOLDER), ([, , folder = ""]) => folder);
  return {
    folders: [
      ...new Set(written.filter((each) => each.startsWith(site.base)).map((each) => each.slice(site.base.length))),
    ],
    names: [...new Set(Array.from(text.matchAll(NAME), ([, , name = ""]) => name))],
    readsStyles: READS_STYLE.test(text) && !CHANGES_STYLE.test(text),
  };
}

/** The images of a site by their names. */
const names = new WeakMap<BuiltSite, ReadonlyMap<string, readonly string[]>>();

function imagesNamed(name: string, site: BuiltSite): readonly string[] {
  const known = names.get(site) ?? Map.groupBy([...site.files.keys()].filter(isImage), (path) => posix.basename(path));
  names.set(site, known);
  return known.get(name) ?? [];
}

function isImage(path: string): boolean {
  return kindOf(contentTypeOf(path)) === "image";
}

/** Files have other addresses in the library, each in a folder of its own. */
export function warnOfStyleFolders(context: ScriptContext): readonly SiteWarning[] {
  const { index } = CHANGES_STYLE.exec(context.text) ?? {};
  if (index === undefined) return [];
  const name = findImageParts(context).names.find((each) => imagesNamed(each, context.site).length > 0);
  if (name === undefined) return [];
  const message = `A script looks for ${name} in the folder of a style's image, and won't find it where the page is published. Write its whole address in the script.`;
  return [warningAt(index, context, { code: "computed-address", message, isNotice: true })];
}

/**
 * Finds images whose folder is in one script and whose name is in another one, and those beside the image of a style
 * that a script reads. Returns their files by the paths that scripts request; `resolve` returns that of a name alone,
 * which is what remains where the image of the style has another address.
 */
export function joinImageParts(
  all: readonly ImageParts[],
  { context, assets }: PageDraft,
  resolve: (name: string) => string | undefined,
): ReadonlyMap<string, string> {
  const { site } = context;
  const found = new Map<string, string>();
  const folders = new Set(all.flatMap((parts) => parts.folders));
  for (const name of all.flatMap((parts) => parts.names))
    for (const folder of folders) if (site.files.has(folder + name)) found.set(folder + name, folder + name);
  const shown = new Set(
    [...assets.values()].flatMap(({ source }) =>
      source.kind === "file" ? [posix.dirname(posix.relative(site.root, source.path))] : [],
    ),
  );
  for (const name of all.flatMap((parts) => (parts.readsStyles ? parts.names : []))) {
    const images = imagesNamed(name, site);
    const image =
      images.find((path) => shown.has(posix.dirname(path))) ?? (images.length === 1 ? images[0] : undefined);
    const path = resolve(name);
    if (image !== undefined && path !== undefined && !site.files.has(path)) found.set(path, image);
  }
  return found;
}
