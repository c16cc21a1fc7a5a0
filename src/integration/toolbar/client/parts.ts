import { formatMinute } from "../../../base/time.ts";
import { describe, make } from "./elements.ts";
import type { PageState, Part, PlanView } from "../messages.ts";

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

export function renderParts(state: PageState): readonly Node[] {
  const { plan, numbers, held, messages, brand } = state;
  return [
    ...(plan === undefined ? [] : [section("This page, as built", renderPlan(plan))]),
    section(
      "Last 30 days",
      of(numbers, ({ views, visitors, depth }) => [
        make("dl", {}, [
          ...fact("Views", views > 0 ? String(views) : "–"),
          ...fact("Visitors", visitors !== undefined && visitors > 0 ? String(visitors) : "–"),
          ...fact("Half scrolled to", depth === undefined ? "–" : `${Math.round(depth)}%`),
        ]),
      ]),
    ),
    section(
      "Messages",
      of(messages, ({ forms, total, newest }) => {
        if (forms === 0) return ["This page has no published form."];
        if (total === 0) return ["This form has no submissions yet."];
        const lines = newest.map(({ at, text }) =>
          make("li", {}, [make("time", { textContent: at ? timeOf(at) : "" }), ` ${text}`]),
        );
        return [`${total} in total.`, make("ul", {}, lines)];
      }),
    ),
    section(
      "Posts on hold",
      of(held, (posts) =>
        posts.length === 0
          ? ["None."]
          : [
              make(
                "ul",
                {},
                posts.map(({ file, line, title, reason }) =>
                  make("li", {}, [
                    make("strong", { textContent: title }),
                    " ",
                    ...describe(reason),
                    " ",
                    code(line === undefined ? file : `${file}:${line}`),
                  ]),
                ),
              ),
            ],
      ),
    ),
    section(
      "Brand",
      of(brand, ({ colors, fonts }) => [
        make(
          "ul",
          { className: "colors" },
          colors.map(({ name, hex }) => {
            const swatch = make("span", { className: "swatch", ariaHidden: "true" });
            swatch.style.background = hex;
            return make("li", {}, [swatch, `${name} ${hex}`]);
          }),
        ),
        make("p", { textContent: fonts.join(", ") }),
        renderDrift(plan),
      ]),
    ),
  ];
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

const GOOD: readonly string[] = ["keep", "published"];

function renderPlan(plan: PlanView): readonly (Node | string)[] {
  const { page, at, isStale, diff, others, warnings, otherWarnings } = plan;
  const stale = isStale ? " Files have changed since then: plan again." : "";
  return [
    make("p", {}, [
      page === undefined
        ? badge("Not in the built site", "soft")
        : badge(KINDS[page.kind] ?? page.kind, GOOD.includes(page.kind) ? "good" : "warn"),
      " ",
      ...describe(page === undefined ? "It is on hold, excluded, or rendered on demand." : `${page.reason}.`),
      ` Built ${timeOf(at)}.${stale}`,
      ...(page?.hint === undefined ? [] : [" ", ...describe(page.hint)]),
    ]),
    ...(diff === ""
      ? []
      : [
          make("details", { className: "diff" }, [
            make("summary", { textContent: "Changes to the published page" }),
            renderDiff(diff),
          ]),
        ]),
    ...(others === 0
      ? []
      : [make("p", { textContent: `${others} more ${others === 1 ? "change" : "changes"} in the site.` })]),
    ...(warnings.length === 0
      ? []
      : [
          make(
            "ul",
            { className: "warnings" },
            warnings.map(({ message, place }) => make("li", {}, [code(place), " ", ...describe(message)])),
          ),
        ]),
    ...(otherWarnings === 0
      ? []
      : [
          make("p", {
            textContent: `${otherWarnings} more ${otherWarnings === 1 ? "warning" : "warnings"} on other pages.`,
          }),
        ]),
  ];
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
  if (plan === undefined || plan.isStale)
    return make("p", { className: "soft", textContent: "As published. “Plan” compares it to the site." });
  if (plan.drift.length === 0)
    return make("p", { className: "soft", textContent: "No drift: the built site has the same brand." });
  return make(
    "ul",
    { className: "warnings" },
    plan.drift.map((line) => make("li", {}, describe(line))),
  );
}

function of<Value>(
  part: Part<Value>,
  render: (value: Value) => readonly (Node | string)[],
): readonly (Node | string)[] {
  return part.kind === "known"
    ? render(part.value)
    : [make("p", { className: "soft" }, describe(part.why || "Unknown."))];
}

function section(title: string, children: readonly (Node | string)[]): Node {
  return make("section", {}, [make("h2", { textContent: title }), ...children]);
}

function badge(text: string, tone: "good" | "warn" | "soft"): Node {
  return make("span", { className: `badge ${tone}`, textContent: text });
}

function code(text: string): Node {
  return make("code", { textContent: text });
}

function fact(name: string, value: string): readonly Node[] {
  return [make("div", {}, [make("dt", { textContent: name }), make("dd", { textContent: value })])];
}

function external(href: string): Node {
  return make("a", { href, target: "_blank", textContent: href.replace(/^https?:\/\//, "") });
}

function timeOf(at: string): string {
  return formatMinute(new Date(at));
}
