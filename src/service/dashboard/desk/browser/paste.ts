import TurndownService from "turndown";
import { MARKDOWN_STYLE } from "../../../../base/markdown-style.ts";

/** Converts HTML copied from a document to Markdown; `undefined` if it has no formatting. */
export function readPastedHtml(html: string): string | undefined {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  if (body.querySelector("h1,h2,h3,h4,h5,h6,a[href],strong,b,em,i,ul,ol,blockquote,p.MsoListParagraph") === null) {
    return undefined;
  }
  for (const element of body.querySelectorAll("style,script,meta,link,title,o\\:p,img:not([src^=http])")) {
    element.remove();
  }
  readWordLists(body);
  // Google Docs wraps everything in a `<b>` that isn't bold.
  for (const bold of body.querySelectorAll<HTMLElement>("b")) {
    if (/^(?:normal|400)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  }
  const service = new TurndownService(MARKDOWN_STYLE);
  service.keep(["table", "sup", "sub"]);
  return service
    .turndown(body)
    .replaceAll(/^(\s*(?:-|\d+\.)) +/gm, "$1 ")
    .replaceAll("\u00A0", " ");
}

/** Word formats list items as paragraphs that start with their mark as text. */
function readWordLists(body: HTMLElement): void {
  let list: HTMLElement | undefined;
  let last: Element | undefined;
  for (const item of body.querySelectorAll<HTMLElement>("p[class^=MsoList]")) {
    const mark = item.querySelector("[style*='mso-list:Ignore'], [style*='mso-list: Ignore']");
    const name = /^\s*\d/.test(mark?.textContent ?? "") ? "ol" : "ul";
    mark?.remove();
    if (list === undefined || item.previousElementSibling !== last || list.localName !== name) {
      list = document.createElement(name);
      item.before(list);
    }
    const entry = document.createElement("li");
    entry.append(...item.childNodes);
    list.append(entry);
    item.remove();
    last = list;
  }
}
