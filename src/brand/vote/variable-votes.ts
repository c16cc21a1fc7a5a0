import { onceEach } from "../../base/once-each.ts";
import { createBudget } from "../budget.ts";
import { hexOf } from "../color/contrast.ts";
import { parseCustomColor } from "../color/css-color.ts";
import { substituteVariables } from "../css/values.ts";
import type { LookedAt } from "./surface-votes.ts";

const VARIABLE_STEPS = 20_000;
/** Maximum number of names from one sheet. */
const MAX_NAMES = 300;

/** A custom property whose name indicates a role. */
interface NamedColor extends VariableMeaning {
  readonly name: string;
  readonly hex: string;
}

/** Finds the colors of custom properties whose names indicate their purpose. */
export function findNamedColors({ page, look }: LookedAt): readonly NamedColor[] {
  const { body } = page.document;
  if (body === undefined) return [];
  const { custom, usedScheme } = look.styleOf(body);
  const budget = createBudget(VARIABLE_STEPS);
  return [...new Map(page.sheets.flatMap(({ sheet }) => [...namesOf(sheet)]))].flatMap(([name, meaning]) => {
    const own = custom.find(name);
    const value = own === undefined ? undefined : substituteVariables(own, custom, budget);
    const color = value === undefined ? undefined : parseCustomColor(value, { scheme: usedScheme });
    if (color === undefined || (color.alpha ?? 1) < 0.9) return [];
    return [{ name, hex: hexOf(color), ...meaning }];
  });
}

const namesOf = onceEach((sheet: LookedAt["page"]["sheets"][number]["sheet"]): ReadonlyMap<string, VariableMeaning> => {
  const names = new Map<string, VariableMeaning>();
  for (const { property } of sheet.rules.flatMap(({ declarations }) => declarations)) {
    const meaning = property.startsWith("--") && !names.has(property) ? readVariableName(property) : undefined;
    if (meaning !== undefined) names.set(property, meaning);
    if (names.size >= MAX_NAMES) break;
  }
  return names;
});

interface VariableMeaning {
  readonly meaning: "primary" | "accent" | "surface" | "border";
  /** 0 to 1: how clearly the name indicates it. */
  readonly strength: number;
}

/** Prefixes of third-party components in a page, whose colors aren't the site's. */
const THIRD_PARTIES = new Set(
  (
    "docsearch algolia swiper plyr toastify fa leaflet maplibre mapbox cc klaro cookieconsent giscus utterances shiki ec " +
    "expressive pagefind splide glide photoswipe pswp fancybox lightbox rdp datepicker flatpickr tippy prism hljs codemirror " +
    "cm monaco katex mermaid twikoo disqus stripe paypal recaptcha hcaptcha intercom crisp hubspot mc astro video vjs " +
    "tui quill ql ck trix aos nprogress sonner toast"
  ).split(" "),
);

/** Prefixes that only identify the owner of a variable. */
const PREFIXES = new Set(
  (
    "bs bulma ifm pico sl vp md mdc mdui mat wp mui chakra mantine nextui heroui uk ion cds spectrum fluent tw theme site " +
    "app ui ds token tokens docs ant el van q v var lumo nes p kit my g global web site fr dsfr gov r f"
  ).split(" "),
);

/** Words that add no meaning to the others. */
const FILLERS = new Set(
  (
    "color colors colour colours clr c col palette preset sys ref base default main value hex rgb hsl hsla oklch " +
    "channel channels 1 500 600 solid key"
  ).split(" "),
);

const BRAND_WORDS: ReadonlyMap<string, number> = new Map([
  ["primary", 1],
  ["brand", 1],
  ["accent", 0.6],
  ["theme", 0.6],
  ["main", 0.45],
  ["highlight", 0.35],
]);

const SURFACE_WORDS = new Set(["surface", "card", "panel", "elevated"]);
const BORDER_WORDS = new Set(["border", "divider", "outline", "separator", "rule"]);
/** Words that may follow without changing the meaning much. */
const GROUNDS = new Set(["bg", "background", "fill", "fg"]);

/** Reads a name like `--ifm-color-primary`; `undefined` if it has no known meaning, or is a shade or a state. */
export function readVariableName(name: string): VariableMeaning | undefined {
  const words = name
    .replace(/^--/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_]+/)
    .filter((word) => word !== "");
  if (words[0] === undefined || THIRD_PARTIES.has(words[0])) return undefined;
  return readWords(words) ?? readWithoutPrefix(words);
}

function readWithoutPrefix([first = "", ...rest]: readonly string[]): VariableMeaning | undefined {
  if (rest.length === 0) return undefined;
  const found = readWords(rest);
  if (found === undefined) return undefined;
  return PREFIXES.has(first) ? found : isQualifier(first) ? undefined : { ...found, strength: found.strength * 0.7 };
}

/** Whether a word before a role changes its meaning: `--on-primary`, `--text-accent`. */
function isQualifier(word: string): boolean {
  return /^(?:on|text|bg|background|border|fg|foreground|hover|focus|active|link|btn|button|inverse|dark|light|secondary|success|danger|warning|info|error|shadow|ring|outline|code|icon|sidebar|chart|nav|footer|header|muted|dim|non|no|selection|scrollbar|table|input|gradient)$/.test(
    word,
  );
}

function readWords(words: readonly string[]): VariableMeaning | undefined {
  const meaningful = words.filter((word) => !FILLERS.has(word));
  const [word = words.includes("main") ? "main" : "", follower, ...more] = meaningful;
  if (more.length > 0) return undefined;
  const brand = BRAND_WORDS.get(word);
  if (brand !== undefined) {
    const meaning = word === "accent" ? "accent" : "primary";
    if (follower === undefined) return { meaning, strength: brand };
    if (BRAND_WORDS.has(follower))
      return { meaning: "primary", strength: Math.max(brand, BRAND_WORDS.get(follower) ?? 0) };
    return GROUNDS.has(follower) ? { meaning, strength: brand * 0.6 } : undefined;
  }
  const isGround = follower === undefined || GROUNDS.has(follower);
  if (SURFACE_WORDS.has(word) && isGround) return { meaning: "surface", strength: follower === undefined ? 0.9 : 0.8 };
  if (BORDER_WORDS.has(word) && follower === undefined)
    return { meaning: "border", strength: word === "border" ? 0.9 : 0.6 };
  return undefined;
}
