import { parseFragment } from "parse5";
import { LIMITS } from "../../contract/limits.ts";
import { ProblemError } from "./problem-error.ts";

/** Throws `page_too_large` or `invalid_html`. */
export function checkHtml(
  bytes: Uint8Array,
  { html, maxBytes }: { readonly html: string; readonly maxBytes: number },
): void {
  if (bytes.byteLength > maxBytes) {
    throw new ProblemError("page_too_large", {
      detail: `The page has ${bytes.byteLength} bytes, ${maxBytes} are allowed.`,
    });
  }
  if (!/<[a-z!]/i.test(html)) {
    throw new ProblemError("invalid_html", {
      detail: "The page has no tag.",
      errors: [{ pointer: "/body/html", detail: "is not an HTML document" }],
    });
  }
}

// Longer than any title; keeps the search short in a document that opens a title and never closes it.
const TITLE_WINDOW = 4000;

/** The text of the document's title, cut to the length that a title may have. */
export function findTitle(html: string): string | undefined {
  const start = html.search(/<title[\s>]/i);
  if (start === -1) return undefined;
  const source = /^<title[^>]*>([^<]*)<\/title/i.exec(html.slice(start, start + TITLE_WINDOW))?.[1] ?? "";
  const [text] = parseFragment(source).childNodes;
  const title = text !== undefined && "value" in text ? text.value.replaceAll(/\s+/g, " ").trim() : "";
  return title === "" ? undefined : title.slice(0, LIMITS.maxTitleLength);
}
