import type { Element } from "domhandler";
import { textContent } from "domutils";
import { isSameOrigin, resolveAddress, type PageDocument } from "../document.ts";
import type { Reader } from "./reader.ts";

/** The texts of scripts that a page runs. */
export interface PageScripts {
  readonly inPage: readonly string[];
  /** Files of the site; only read if its styles have themes, or the page's root is marked as dark. */
  readonly files: readonly string[];
}

export async function loadScripts(
  page: PageDocument,
  { address, hasThemes, reader }: { readonly address: string; readonly hasThemes: boolean; readonly reader: Reader },
): Promise<PageScripts> {
  const scripts = page.elements.filter(({ name }) => name === "script");
  const marks = [page.html, page.body].flatMap((root) => Object.values(root?.attribs ?? {}));
  const isThemed = hasThemes || marks.some((value) => /dark/i.test(value));
  const sources = scripts.flatMap(({ attribs: { src } }) =>
    src === undefined || !isThemed ? [] : (resolveAddress(src, address) ?? []),
  );
  // Scripts of other hosts are libraries, which don't control themes.
  const own = sources.filter((source) => isSameOrigin(source, address)).map((source) => reader.readText(source));
  const files = (await Promise.all(own)).flatMap((file) => file?.text ?? []);
  const inPage = [...scripts.map(textContent), ...page.elements.flatMap(handlersOf)];
  return { inPage: inPage.filter((text) => text !== ""), files };
}

function handlersOf({ attribs }: Element): readonly string[] {
  return Object.entries(attribs).flatMap(([name, value]) => (/^on[a-z]/.test(name) ? value : []));
}

const CONTROLS = new Set(["button", "input", "select", "label", "a"]);
const SWITCH =
  /(?:theme|scheme|(?:dark|light|night|colou?r)[-_]?mode)\S*(?:toggle|switch|select|picker|controller|value)|(?:toggle|switch|change|set)[-_](?:theme|scheme|dark|light)/i;
const SWITCH_LABEL = /\b(?:theme|colou?r scheme|(?:dark|light|night|colou?r) mode)\b/i;

/** Whether a script adds, removes, or toggles a class. */
export function setsClass({ inPage, files }: PageScripts, name: string): boolean {
  const call = String.raw`classList(?:\.\w+|\[[^\]]{1,80}\])\([^)]{0,80}|className\s*\+?=[^;]{0,80}`;
  const sets = new RegExp(`(?:${call})["'\`\\s]${name}["'\`\\s]`);
  return [...inPage, ...files].some((text) => sets.test(text));
}

const SETS_CLASS = /classList\.\w+\(["'`](?:[\w-]+-)?(?:dark|light)/;

/** Whether a page has a control that switches its theme, or scripts that refer to the theme's attributes. */
export function hasThemeSwitch(
  { elements }: PageDocument,
  attributes: readonly string[],
  { inPage, files }: PageScripts,
): boolean {
  const names = attributes.flatMap((name) => [name, `dataset.${datasetKey(name)}`]);
  return (
    elements.some(isSwitch) ||
    [...inPage, ...files].some((text) => SETS_CLASS.test(text) || names.some((name) => text.includes(name)))
  );
}

function isSwitch({ name, attribs }: Element): boolean {
  if (!CONTROLS.has(name) && !name.includes("-")) return false;
  const { id = "", class: classes = "", title = "", "aria-label": label = "" } = attribs;
  return SWITCH.test([name, id, classes, ...Object.keys(attribs)].join(" ")) || SWITCH_LABEL.test(`${label} ${title}`);
}

function datasetKey(attribute: string): string {
  return attribute.replace(/^data-/, "").replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
