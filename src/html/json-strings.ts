import { applyEdits, type Edit } from "./edits.ts";

/**
 * Replaces strings in a JSON text, leaving every other character as it is. `replace` gets the decoded string and the
 * nearest key before it, and answers the new string or `undefined` to keep it. Keys are not replaced.
 */
export function replaceJsonStrings(
  json: string,
  replace: (value: string, key: string | undefined) => string | undefined,
): string {
  const edits: Edit[] = [];
  let key: string | undefined;
  for (const { index, 0: literal, 1: colon } of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    const source = colon === undefined ? literal : literal.slice(0, -colon.length);
    if (colon !== undefined) {
      key = parseString(source);
      continue;
    }
    const value = parseString(source);
    const replacement = value === undefined ? undefined : replace(value, key);
    if (replacement === undefined || replacement === value) continue;
    edits.push({ start: index, end: index + source.length, text: renderString(replacement, source) });
  }
  return applyEdits(json, edits);
}

function parseString(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? value : undefined;
  } catch {
    // Not JSON after all, such as a script with single quotes: the place stays as it is.
    return undefined;
  }
}

/** Inside `<script>` a `<` must not begin an end tag, and some writers escape slashes. */
function renderString(value: string, source: string): string {
  const rendered = JSON.stringify(value).replaceAll("<", "\\u003c");
  return source.includes("\\/") ? rendered.replaceAll("/", "\\/") : rendered;
}
