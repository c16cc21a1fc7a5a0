import { escapePattern } from "../../base/escape-pattern.ts";
import { foldRoute } from "../../contract/slug.ts";
import type { Edit } from "../../html/edits.ts";
import { resolveIn, type TextContext } from "./text-context.ts";

const CALL = String.raw`\(\s*(?:"[^"()]*"|'[^'()]*'|\`[^\`()$]*\`|[\w$.]*)\s*\)`;
// `event.to.pathname`, `new URL(link.href).pathname`, `link.getAttribute("href")`, `option.value`, `card.dataset.url`
const OWNER = String.raw`(?<![\w$.)\]?"'\`]|[-+*/%]\s*|\btypeof\s+)(?:new\s+URL\([\w$.]+\)|[\w$]+)(?:\??\.[\w$]+|\[[\w$.]+\]|${CALL})*?`;
const READ = String.raw`(?<value>(?!(?:(?:window|self|globalThis|document)\??\.)?location\??\.|new\s+URL\(\s*(?:window\.)?location\b)${OWNER}\??\.(?:pathname|value|dataset\.\w+|getAttribute\(\s*["'\`]href["'\`]\s*\)))`;
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
    const below = findStart(path, settings);
    if (below === undefined) return [];
    return [
      {
        start,
        end: start + found.length,
        text: `(${found}||/${below.replaceAll("/", String.raw`\/`)}/.test(${value}))`,
      },
    ];
  });
  return [...equal, ...started];
}

/** A pattern of what the published addresses of pages below a path begin with, if that of no other page does. */
function findStart(path: string, { slugs, pageHref }: TextContext["settings"]): string | undefined {
  const { slug: name } = foldRoute(path);
  const [, slug = ""] = [...slugs].find(([route]) => route.startsWith(path)) ?? [];
  if (name === "" || !slug.includes(name)) return undefined;
  const href = pageHref(slug);
  const start = href.slice(0, href.indexOf(slug) + slug.indexOf(name) + name.length);
  const pattern = `^${escapePattern(start)}${path.endsWith("/") ? "(?![^-/?#])" : ""}`;
  const isStart = new RegExp(pattern);
  const isExact = [...slugs].every(([route, each]) => route.startsWith(path) === isStart.test(pageHref(each)));
  return isExact ? pattern : undefined;
}
