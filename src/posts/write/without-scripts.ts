import { dropAttribute } from "../../html/attributes.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { parseHtml } from "../../html/parse.ts";
import { visitElements, type HtmlElement } from "../../html/tree.ts";

/**
 * Removes scripts, handlers, and `javascript:` addresses from the HTML of a post. Anybody with access to a blog may have
 * written it, and it becomes a file of the site.
 */
export function withoutScripts(html: string): string {
  const edits: Edit[] = [];
  visitElements(parseHtml(html), (element) => {
    const { source, tagName } = element;
    if (tagName === "script" && source !== undefined) edits.push({ start: source.start, end: source.end, text: "" });
    else edits.push(...dropHandlers(element));
  });
  // Of two attributes with the same name, the parser returns the first.
  return edits.length === 0 ? html : withoutScripts(applyEdits(html, edits));
}

function dropHandlers(element: HtmlElement): readonly Edit[] {
  const handlers = element.attrs.filter(({ name, value }) => /^(?:on|srcdoc$)/i.test(name) || isScript(value));
  return handlers.flatMap(({ name }) => dropAttribute(element, name) ?? []);
}

// Browsers ignore spaces and control characters there.
function isScript(address: string): boolean {
  return /^javascript:/i.test(address.replaceAll(/[\0- ]+/g, ""));
}
