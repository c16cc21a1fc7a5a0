import TurndownService from "turndown";
import { escapeMarkdown, MARKDOWN_STYLE } from "../../../../base/markdown-style.ts";

const FORMATTED =
  "h1,h2,h3,h4,h5,h6,a[href],strong,b,em,i,ul,ol,blockquote,p.MsoListParagraph,[style*=font-weight],[style*=font-style]";

/** A document from the clipboard. */
export interface PastedDocument {
  /** Pictures that it contains. Each is to be removed, or to get the address of the added file. */
  readonly pictures: readonly { readonly image: HTMLImageElement; readonly file: File }[];
  /** How many pictures it only names, by an address that no browser may read. */
  readonly missing: number;
  /** Hosts of its other pictures, one for each. */
  readonly hosts: readonly string[];
  /** Converts the document to Markdown, with its pictures as they are. */
  write(): string;
}

/** Reads HTML copied from a document; `undefined` if it has no formatting. Of a picture, `files` may be all there is. */
export function readPastedHtml(html: string, files: readonly File[]): PastedDocument | undefined {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  if (body.querySelector(files.length === 0 ? `${FORMATTED},img:not([src^=http])` : FORMATTED) === null)
    return undefined;
  for (const element of body.querySelectorAll("style,script,meta,link,title,o\\:p")) element.remove();
  const images = [...body.querySelectorAll("img")].map((image) => ({
    image,
    address: image.getAttribute("src") ?? "",
  }));
  const others = images.filter(({ address }) => !/^https?:/i.test(address));
  const pictures = others.flatMap(({ image, address }, index) => {
    const file = readDataUrl(address, `picture-${index + 1}`);
    return file === undefined ? [] : [{ image, file }];
  });
  for (const { image } of others) if (!pictures.some((each) => each.image === image)) image.remove();
  readWordLists(body);
  nestLists(body);
  readStyles(body);
  return {
    pictures,
    missing: others.length - pictures.length,
    hosts: images.flatMap(({ address }) => {
      const { host = "", pathname = "" } = URL.parse(address) ?? {};
      return host === "" || OWN_FILE.test(pathname) ? [] : [host];
    }),
    write: () => writeMarkdown(body),
  };
}

const OWN_FILE = /^\/library\/as_[0-9A-Za-z]{22}\//;

function writeMarkdown(body: HTMLElement): string {
  const service = new TurndownService(MARKDOWN_STYLE);
  service.escape = escapeMarkdown;
  service.keep(["table", "sup", "sub"]);
  return service
    .turndown(body)
    .replaceAll(/^(\s*(?:-|\d+\.)) +/gm, "$1 ")
    .replaceAll("\u00A0", " ");
}

/** Reads a picture from its `data:` URL: the page's policy keeps `fetch` from doing it. */
function readDataUrl(address: string, name: string): File | undefined {
  const [, type = "", parameters = "", data = ""] = /^data:image\/([\w.+-]+)([^,]*),(.*)$/is.exec(address) ?? [];
  if (type === "") return undefined;
  try {
    const text = decodeURIComponent(data);
    const isBase64 = /;base64$/i.test(parameters);
    const content = isBase64 ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : text;
    return new File([content], `${name}.${type.replace("+xml", "")}`, { type: `image/${type}` });
  } catch {
    // It is cut off.
    return undefined;
  }
}

/** Reads a property from an element's attribute: the page's policy keeps the browser from parsing it. */
function styleOf(element: Element, property: string): string {
  const declarations = (element.getAttribute("style") ?? "").split(";").map((each) => each.split(":"));
  const [, value = ""] = declarations.findLast(([name = ""]) => name.trim().toLowerCase() === property) ?? [];
  return value.trim().toLowerCase();
}

function isBold(weight: string): boolean {
  return weight.startsWith("bold") || Number(weight) >= 600;
}

/** Google Docs formats text with styles, and wraps everything in a `<b>` that isn't bold. */
function readStyles(body: HTMLElement): void {
  for (const bold of body.querySelectorAll("b,strong")) {
    const weight = styleOf(bold, "font-weight");
    if (weight !== "" && !isBold(weight)) bold.replaceWith(...bold.childNodes);
  }
  for (const span of body.querySelectorAll("span")) {
    const names = [
      ...(isBold(styleOf(span, "font-weight")) && span.closest("b,strong,th,h1,h2,h3,h4,h5,h6") === null
        ? ["strong"]
        : []),
      ...(/^(?:italic|oblique)/.test(styleOf(span, "font-style")) && span.closest("i,em") === null ? ["em"] : []),
    ];
    if (names.length === 0) continue;
    const elements = names.map((name) => document.createElement(name));
    for (const [at, inner] of elements.slice(1).entries()) elements[at]?.append(inner);
    elements.at(-1)?.append(...span.childNodes);
    span.replaceWith(...elements.slice(0, 1));
  }
  // The marks of two neighbors would run into each other.
  for (const marked of body.querySelectorAll("strong,em")) {
    const before = marked.previousSibling;
    if (!(before instanceof HTMLElement) || before.localName !== marked.localName) continue;
    marked.prepend(...before.childNodes);
    before.remove();
  }
}

/** Google Docs nests a list beside its item rather than in it, and has a paragraph in each item. */
function nestLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll(":is(ul,ol) > :is(ul,ol)")) {
    const item = list.previousElementSibling;
    if (item?.localName === "li") item.append(list);
  }
  for (const only of body.querySelectorAll("li > p:only-of-type")) only.replaceWith(...only.childNodes);
}

const ORDERED = /^\s*\(?(?:\d+|[a-z]|[ivxlc]+)[.)]/i;

/** Word formats list items as paragraphs that start with their mark as text, and have their level as a style. */
function readWordLists(body: HTMLElement): void {
  // The lists that contain the last item, outermost first. The first one may have any level.
  let open: { readonly list: HTMLElement; readonly level: number }[] = [];
  for (const item of body.querySelectorAll<HTMLElement>("p[class^=MsoList]")) {
    const mark = item.querySelector("[style*='mso-list:Ignore'], [style*='mso-list: Ignore']");
    const name = ORDERED.test(mark?.textContent ?? "") ? "ol" : "ul";
    mark?.remove();
    if (item.previousElementSibling !== open[0]?.list) open = [];
    const level = Number(/level(\d+)/.exec(styleOf(item, "mso-list"))?.[1] ?? 1);
    open = open.filter((each) => each.level < level || (each.level === level && each.list.localName === name));
    if (open.at(-1)?.level !== level) {
      const list = document.createElement(name);
      const parent = open.at(-1)?.list.lastElementChild;
      if (parent === undefined || parent === null) item.before(list);
      else parent.append(list);
      open.push({ list, level });
    }
    const entry = document.createElement("li");
    entry.append(...item.childNodes);
    open.at(-1)?.list.append(entry);
    item.remove();
  }
}
