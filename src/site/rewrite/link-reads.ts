import type { Edit } from "../../html/edits.ts";
import { LOCATION } from "./path-reads.ts";
import { findStart } from "./published-start.ts";
import { resolveIn, type TextContext } from "./text-context.ts";

const CALL = String.raw`\(\s*(?:"[^"()]*"|'[^'()]*'|\`[^\`()$]*\`|[\w$.]*)\s*\)`;
// `event.to.pathname`, `new URL(link.href).pathname`, `link.getAttribute("href")`, `option.value`, `card.dataset.url`
const OWNER = String.raw`(?<![\w$.)\]?"'\`]|[-+*/%]\s*|\btypeof\s+)(?:new\s+URL\([\w$.]+\)|[\w$]+)(?:\??\.[\w$]+|\[[\w$.]+\]|${CALL})*?`;
const READ = String.raw`(?<value>(?!${LOCATION}\??\.|new\s+URL\(\s*(?:window\.)?location\b)${OWNER}\??\.(?:pathname|value|dataset\.\w+|getAttribute\(\s*["'\`]href["'\`]\s*\)))`;
const PATH = String.raw`(?<quote>["'\`])(?<path>\/[^"'\`\s\\$]*)\k<quote>`;
const COMPARED = [
  new RegExp(String.raw`${READ}\s*(?<sign>[!=]==?)\s*${PATH}(?!\s*[-+*/%.([])`, "g"),
  new RegExp(String.raw`(?<![\w$)\]+]\s*)${PATH}\s*(?<sign>[!=]==?)\s*${READ}(?![\w$.([])`, "g"),
];
const STARTED = new RegExp(String.raw`${READ}\.startsWith\(\s*${PATH}\s*\)(?!\|\|\/\^)`, "g");

/**
 * Makes comparisons of a link's address with that of a page work although the link now leads to where the page is
 * published: both are accepted.
 */
export function replaceLinkReads(context: TextContext): readonly Edit[] {
  const { text, settings } = context;
  if (!/\.(?:pathname|value|dataset|getAttribute)\b/.test(text)) return [];
  const equal = COMPARED.flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap(({ index: start, 0: found, groups = {} }): Edit[] => {
      const { value = "", sign = "", quote = "", path = "" } = groups;
      // As a value, a slash alone is a separator, which parsers compare often.
      if (path === "/" && !/(?:pathname|\))$/.test(value)) return [];
      const target = resolveIn(context, path);
      const slug = target.kind === "page" ? settings.slugs.get(target.page.route) : undefined;
      if (target.kind !== "page" || slug === undefined) return [];
      const published = settings.pageHref(slug) + target.suffix;
      const either = `[${quote}${path}${quote},${quote}${published}${quote}].includes(${value})`;
      return [{ start, end: start + found.length, text: (sign.startsWith("!") ? "!" : "") + either }];
    }),
  );
  const started = Array.from(text.matchAll(STARTED)).flatMap(({ index: start, 0: found, groups = {} }): Edit[] => {
    const { value = "", path = "" } = groups;
    const below = findStart(path, settings)?.pattern.replaceAll("/", String.raw`\/`);
    const end = start + found.length;
    return below === undefined ? [] : [{ start, end, text: `(${found}||/${below}/.test(${value}))` }];
  });
  return [...equal, ...started];
}
