// A host that shows pages in a layout of its own has style sheets and scripts, too, so ours are looked for by what they
// contain.
import { decodeAttribute } from "../base/decode-references.ts";

// The addresses of files may not be filled in yet, and hosts write a file within an address in their own way.
const NOT_YET_OR_WITHIN = /^(?:imprint-asset|data):/i;
const STYLE = /<style\b[^>]*>.*?<\/style|<link\s[^>]*\bstylesheet\b[^>]*>/gis;
const SCRIPT = /<script\b([^>]*)>(.*?)<\/script/gis;
const DATA = /\btype\s*=\s*["']?(?:application\/(?!javascript)|text\/(?!javascript)|speculationrules|importmap)/i;
const ADDRESS = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const RULE = /([^{};]+)\{([^{}]*)\}/g;
// Without digits, since a script of the host may have a number or token of its own in each answer.
const WORD = /\b[a-z_$]{3,}\b/gi;

// Hosts minify code, and leave out rules that a page doesn't use.
const SAME_STYLES = 0.5;
// Scripts have many words in common.
const SAME_SCRIPT = 0.8;
// A host that puts a linked sheet into the page makes its styles this much longer.
const SHORTEST_SHEET = 200;

/** Whether a page was sent with styles that the shown page doesn't have. */
export function lacksStyles(sent: string, shown: string): boolean {
  const [own, there] = [readStyles(sent), readStyles(shown)];
  const isInlined = there.text.length > own.text.length + SHORTEST_SHEET;
  const lacksLink = own.addresses.some((address) => !shown.includes(fileNameOf(address)));
  return (lacksLink && !isInlined) || shareOf(rulesIn(own.text), rulesIn(there.text)) < SAME_STYLES;
}

/** Whether a page was sent with a script that the shown page doesn't have. */
export function lacksScripts(sent: string, shown: string): boolean {
  const there = new Set(readScripts(shown).flatMap(({ text }) => text.match(WORD) ?? []));
  return readScripts(sent).some(({ text, address }) =>
    address === undefined
      ? shareOf(new Set(text.match(WORD)), there) < SAME_SCRIPT
      : !shown.includes(fileNameOf(address)),
  );
}

/** Returns the addresses of the style sheets that a host added to a page. */
export function addedSheets(sent: string, shown: string): readonly string[] {
  return readStyles(shown).addresses.filter((address) => !sent.includes(fileNameOf(address)));
}

function readStyles(html: string): { readonly text: string; readonly addresses: readonly string[] } {
  const found = (html.match(STYLE) ?? []).map((element) =>
    /^<style/i.test(element) ? { text: element.slice(element.indexOf(">") + 1) } : { address: addressOf(element) },
  );
  return {
    text: found.map(({ text = "" }) => text).join("\n"),
    addresses: found.flatMap(({ address = [] }) => address),
  };
}

function readScripts(html: string): readonly { readonly text: string; readonly address: string | undefined }[] {
  return Array.from(html.matchAll(SCRIPT), ([, attributes = "", text = ""]) => ({ attributes, text }))
    .filter(({ attributes }) => !DATA.test(attributes))
    .map(({ attributes, text }) => ({ text, address: addressOf(attributes) }));
}

function addressOf(tag: string): string | undefined {
  const [, ...values] = ADDRESS.exec(tag) ?? [];
  const value = values.find((each) => each !== undefined);
  return value === undefined || NOT_YET_OR_WITHIN.test(value) ? undefined : decodeAttribute(value);
}

function fileNameOf(address: string): string {
  const [path = ""] = address.split(/[?#]/, 1);
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns each declaration with the end of each selector that it belongs to, since a host may scope selectors. */
function rulesIn(css: string): ReadonlySet<string> {
  const rules = Array.from(css.matchAll(RULE), ([, selectors = "", body = ""]) => {
    const ends = selectors.split(",").map(
      (selector) =>
        selector
          .trim()
          .split(/[\s>+~]+/)
          .at(-1) ?? "",
    );
    const declarations = body.split(";").map((each) => each.replaceAll(/\s+/g, "").toLowerCase());
    return declarations.filter((each) => each !== "").flatMap((each) => ends.map((end) => `${end} ${each}`));
  });
  return new Set(rules.flat());
}

/** Share of what is in another set, from 0 to 1; 1 if nothing is there to be in it. */
function shareOf(all: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return all.size === 0 ? 1 : [...all].filter((each) => others.has(each)).length / all.size;
}
