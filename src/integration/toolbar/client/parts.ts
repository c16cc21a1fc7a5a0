import { formatMinute } from "../../../base/time.ts";
import { describe, make, type Child } from "./elements.ts";
import type { BrandView, HeldView, Messages, Numbers, PageState, Part, PlanView } from "../messages.ts";

/** Describes whether the page is published, and whether sources have changed since. */
export function describeState({ published, newer, plan, service, problem }: PageState): readonly (Node | string)[] {
  if (problem !== undefined) return ["The status of this page is unknown."];
  const place = service.startsWith("http") ? new URL(service).host : service;
  const link = published?.address === undefined ? [] : [" ", external(published.address)];
  if (published === undefined)
    return [badge("Not published", "soft"), ` This project hasn't published it to ${place}.`];
  const when = published.at === undefined ? "" : ` Last sent ${timeOf(published.at)}.`;
  const head = [badge("Published", "good"), `${when}`, ...link];
  if (plan !== undefined && !plan.isStale) return head;
  if (newer.count === 0) return [...head, make("br"), "No source file is newer."];
  const names = newer.files.join(", ");
  const more = newer.count > newer.files.length ? " …" : "";
  const words =
    newer.count === 1 ? "1 source file of the site is newer" : `${newer.count} source files of the site are newer`;
  return [
    ...head,
    make("br"),
    `${words} (${names}${more}). “Plan” builds the site and shows whether this page changed.`,
  ];
}

export function renderParts({ plan, numbers, held, messages, brand }: PageState): readonly Node[] {
  return [
    ...(plan === undefined ? [] : [section("This page, as built", renderPlan(plan))]),
    section("Last 30 days", of(numbers, renderNumbers)),
    section("Messages", of(messages, renderMessages)),
    section("Posts on hold", of(held, renderHeld)),
    section(
      "Brand",
      of(brand, (shown) => renderBrand(shown, plan)),
    ),
  ];
}

function renderNumbers({ views, visitors = 0, depth }: Numbers): readonly Child[] {
  return [
    make("dl", {}, [
      fact("Views", views > 0 ? String(views) : "–"),
      fact("Visitors", visitors > 0 ? String(visitors) : "–"),
      fact("Half scrolled to", depth === undefined ? "–" : `${Math.round(depth)}%`),
    ]),
  ];
}

function renderMessages({ forms, total, newest }: Messages): readonly Child[] {
  if (forms === 0) return ["This page has no published form."];
  if (total === 0) return ["This form has no submissions yet."];
  const lines = newest.map(({ at, text }) => [make("time", { textContent: at ? timeOf(at) : "" }), ` ${text}`]);
  return [`${total} in total.`, list(lines)];
}

function renderHeld(posts: readonly HeldView[]): readonly Child[] {
  if (posts.length === 0) return ["None."];
  const lines = posts.map(({ file, line, title, reason }) => {
    const place = code(line === undefined ? file : `${file}:${line}`);
    return [make("strong", { textContent: title }), " ", ...describe(reason), " ", place];
  });
  return [list(lines)];
}

function renderBrand({ colors, fonts }: BrandView, plan: PlanView | undefined): readonly Child[] {
  const swatches = colors.map(({ name, hex }) => {
    const swatch = make("span", { className: "swatch", ariaHidden: "true" });
    swatch.style.background = hex;
    return [swatch, `${name} ${hex}`];
  });
  return [list(swatches, { className: "colors" }), make("p", { textContent: fonts.join(", ") }), renderDrift(plan)];
}

const KINDS: Readonly<Record<string, string>> = {
  create: "To publish",
  update: "Changed",
  keep: "Unchanged",
  published: "Published",
  blocked: "Blocked",
  failed: "Failed",
  orphan: "No longer in the site",
  delete: "To delete",
};

const WARNINGS = { className: "warnings" } as const;

const GOOD: readonly string[] = ["keep", "published"];

function renderPlan(plan: PlanView): readonly Child[] {
  const { page, at, isStale, diff, others, warnings, otherWarnings } = plan;
  const stale = isStale ? " Files have changed since then: plan again." : "";
  const tone = page !== undefined && GOOD.includes(page.kind) ? "good" : "warn";
  return [
    make("p", {}, [
      page === undefined ? badge("Not in the built site", "soft") : badge(KINDS[page.kind] ?? page.kind, tone),
      " ",
      ...describe(page === undefined ? "It is on hold, excluded, or rendered on demand." : sentenceOf(page)),
      ` Built ${timeOf(at)}.${stale}`,
      ...(page?.hint === undefined ? [] : [" ", ...describe(page.hint)]),
    ]),
    diff !== "" &&
      make("details", { className: "diff" }, [
        make("summary", { textContent: "Changes to the published page" }),
        renderDiff(diff),
      ]),
    others > 0 && make("p", { textContent: `${others} more ${others === 1 ? "change" : "changes"} in the site.` }),
    warnings.length > 0 &&
      list(
        warnings.map(({ message, place }) => [code(place), " ", ...describe(message)]),
        WARNINGS,
      ),
    otherWarnings > 0 &&
      make("p", {
        textContent: `${otherWarnings} more ${otherWarnings === 1 ? "warning" : "warnings"} on other pages.`,
      }),
  ];
}

/** The reason as a sentence; nothing if the badge beside it says the same. */
function sentenceOf({ kind, reason }: NonNullable<PlanView["page"]>): string {
  if (kind === "keep" && reason === "nothing changed") return "";
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function renderDiff(diff: string): Node {
  const lines = diff.split("\n").map((line) => {
    const kind = /^(?:---|\+\+\+|@@)/.test(line)
      ? "soft"
      : line.startsWith("+")
        ? "plus"
        : line.startsWith("-")
          ? "minus"
          : "";
    return make("span", { className: kind, textContent: `${line}\n` });
  });
  return make("pre", { tabIndex: 0 }, lines);
}

function renderDrift(plan: PlanView | undefined): Node {
  if (plan !== undefined && !plan.isStale && plan.drift.length > 0) return list(plan.drift.map(describe), WARNINGS);
  const isCompared = plan !== undefined && !plan.isStale;
  const textContent = isCompared
    ? "No drift: the built site has the same brand."
    : "As published. “Plan” compares it to the site.";
  return make("p", { className: "soft", textContent });
}

function of<Value>(part: Part<Value>, render: (value: Value) => readonly Child[]): readonly Child[] {
  if (part.kind === "known") return render(part.value);
  return [make("p", { className: "soft" }, describe(part.why || "Unknown."))];
}

function list(items: readonly (readonly Child[])[], properties: { readonly className?: string } = {}): Node {
  const children = items.map((item) => make("li", {}, item));
  return make("ul", properties, children);
}

function section(title: string, children: readonly Child[]): Node {
  return make("section", {}, [make("h2", { textContent: title }), ...children]);
}

function badge(text: string, tone: "good" | "warn" | "soft"): Node {
  return make("span", { className: `badge ${tone}`, textContent: text });
}

function code(text: string): Node {
  return make("code", { textContent: text });
}

function fact(name: string, value: string): Node {
  return make("div", {}, [make("dt", { textContent: name }), make("dd", { textContent: value })]);
}

function external(href: string): Node {
  return make("a", { href, target: "_blank", textContent: href.replace(/^https?:\/\//, "") });
}

function timeOf(at: string): string {
  return formatMinute(new Date(at));
}
