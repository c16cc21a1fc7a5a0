// Hosts add parts of their own to pages: a layout, statistics, a form to subscribe. So ours are looked for by what they
// contain.
import { decodeAttribute } from "../base/decode-references.ts";

// The addresses of files may not be filled in yet, and hosts write a file within an address in their own way.
const NOT_YET_OR_WITHIN = /^(?:imprint-asset|data):/i;
const STYLE = /<style\b[^>]*>.*?<\/style|<link\s[^>]*\bstylesheet\b[^>]*>/gis;
const SCRIPT = /<script\b([^>]*)>(.*?)<\/script/gis;
const DATA = /\btype\s*=\s*["']?(?:application\/(?!javascript)|text\/(?!javascript)|speculationrules|importmap)/i;
const IMAGE = /<img\s[^>]*>/gi;
// The document within an attribute has elements and addresses of its own.
const FRAME = /<iframe\s(?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const DOCUMENT = /\ssrcdoc\s*=\s*(?:"[^"]*"|'[^']*')/gi;
// Hosts that hide addresses of people from robots change links to them.
const LINK = /<a\s(?![^>]*\bhref\s*=\s*["']?(?:#|mailto:|tel:))[^>]*href[^>]*>/gi;
const FIELD = /<(?:input|textarea|select)\s(?:[^>]*\s)?name\s*=\s*["']?([^"'\s>]+)/gi;
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

/** Whether readers get none of a page's own images, but fewer of some size than were sent. */
export function lacksImages(sent: string, shown: string): boolean {
  const isSeen = (tag: string) => !/\s(?:width|height)\s*=\s*["']?[01]\b/i.test(tag);
  const count = (html: string) => (html.match(IMAGE) ?? []).filter(isSeen).length;
  const names = addressesIn(sent, IMAGE).map(fileNameOf);
  return count(shown) < count(sent) && lacksAll(names, shown);
}

/** Whether readers get none of the frames that a page was sent with. */
export function lacksFrames(sent: string, shown: string): boolean {
  return lacksAll(addressesIn(sent, FRAME).map(pathOf), shown);
}

/** Whether readers get none of the links that a page was sent with; a host may lead them through an address of its own. */
export function lacksLinks(sent: string, shown: string): boolean {
  const targets = addressesIn(sent, LINK).map((address) => fileNameOf(address.replace(/\/$/, "")));
  return lacksAll(targets, addressesIn(shown, LINK).join("\n"));
}

/** Whether readers lack a field of the forms that a page was sent with. */
export function lacksFields(sent: string, shown: string): boolean {
  const there = new Set(fieldsIn(shown));
  return fieldsIn(sent).some((name) => !there.has(name));
}

function fieldsIn(html: string): readonly string[] {
  return Array.from(html.matchAll(FIELD), ([, name = ""]) => name);
}

/** Returns the addresses of matching elements; those of files that are still to be filled in are left out. */
export function addressesIn(html: string, element: RegExp): readonly string[] {
  return (html.match(element) ?? []).flatMap((tag) => addressOf(tag) ?? []);
}

function lacksAll(texts: readonly string[], shown: string): boolean {
  const named = texts.filter((text) => text !== "");
  return named.length > 0 && !named.some((text) => shown.includes(text));
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
  const [, ...values] = ADDRESS.exec(tag.replace(DOCUMENT, "")) ?? [];
  const value = values.find((each) => each !== undefined);
  return value === undefined || NOT_YET_OR_WITHIN.test(value) ? undefined : decodeAttribute(value);
}

function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? "";
}

function fileNameOf(address: string): string {
  const path = pathOf(address);
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
