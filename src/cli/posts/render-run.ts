import type { PostsRun } from "./sync-posts.ts";
import type { ProbeResult } from "../../posts/apply/probe.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import { wrapText } from "../wrap.ts";
import { renderHeadline, renderPagesLine } from "./headline.ts";
import { listTodos, type TodoItem, type TodoSection } from "./todo.ts";

export interface RunText {
  readonly paint: Paint;
  readonly dryRun: boolean;
  readonly now: Date;
  /** Width of the terminal in characters; where there is none, lines stay whole. */
  readonly columns: number;
}

const LABEL = "posts  ";

/** What is to be done, or was done, about the posts: counts on one line, then a list of what needs a person. */
export function renderPostsRun(run: PostsRun, text: RunText): string {
  const counts = wrapText(renderHeadline(run, text.dryRun), text.columns - LABEL.length);
  const pages = renderPagesLine(run, text.dryRun);
  const headline = [
    LABEL + counts.join(`\n${" ".repeat(LABEL.length)}`),
    ...(pages === undefined ? [] : [`pages  ${pages}`]),
  ].join("\n");
  const published = run.outcomes.filter(({ resource, kind, status }) => {
    return (
      status === "done" && (resource === "post" || resource === "page") && (kind === "create" || kind === "update")
    );
  });
  const done = published.map(({ name, url, hint }) =>
    [`  ${text.paint("good", "+")} ${name}  ${url ?? ""}`, ...(hint === undefined ? [] : indent([hint], text))].join(
      "\n",
    ),
  );
  const sections = listTodos(run, text).map((section) => renderSection(section, text));
  return `${[headline, ...done, ...sections, ...probeLines(run.probe, text)].join("\n")}\n`;
}

function renderSection({ title, items, advice }: TodoSection, text: RunText): string {
  const heading = `\n${text.paint("strong", title)} (${items.length})`;
  const told =
    advice === undefined ? [] : wrapText(advice, text.columns - 2).map((line) => `  ${text.paint("dim", line)}`);
  return [heading, ...told, ...items.map((each) => renderItem(each, text))].join("\n");
}

function renderItem({ style, sign, place, text: words, steps }: TodoItem, text: RunText): string {
  const line = `${place}  ${words}`.trimEnd();
  const fits = line.length + 4 <= text.columns;
  const own = fits || words === "" ? [line] : [place];
  const below = fits || words === "" ? [] : indent([words], text);
  const [first = "", ...rest] = own;
  return [`  ${text.paint(style, sign)} ${first}`, ...rest, ...below, ...indent(steps, text, "dim")].join("\n");
}

const INDENT = "    ";

function indent(texts: readonly string[], { columns, paint }: RunText, style?: "dim"): readonly string[] {
  return texts.flatMap((text) => {
    // The spaces in a step such as `open   https://…` are its own.
    const lines = text.length + INDENT.length <= columns ? [text] : wrapText(text, columns - INDENT.length);
    return lines.map((line) => INDENT + (style === undefined ? line : paint(style, line)));
  });
}

const ANSWERS: Readonly<Record<ProbeResult["answer"], string>> = {
  upserts: "Sending a post again changes it here. From now on edits are sent.",
  rejects: "Sending a post again is refused here: edits have to be made by hand.",
  ignores: "Sending a post again changes nothing here: edits have to be made by hand.",
  duplicates: "Sending a post again makes a second one here. It is not tried again. Delete the second one by hand:",
  unknown: "It could not be seen whether sending a post again changes it.",
};

function probeLines(probe: ProbeResult | undefined, text: RunText): readonly string[] {
  if (probe === undefined) return [];
  const lines = [`${ANSWERS[probe.answer]}`, ...probe.places, `(tried with ${probe.name}: ${probe.reason})`];
  return [`\n${text.paint("strong", "Probe")}`, ...indent(lines, text)];
}
