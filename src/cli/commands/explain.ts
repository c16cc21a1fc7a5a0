import { ImprintError } from "../../base/error.ts";
import { nearestName } from "../../options/nearest-name.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { findTopics, readPage, sectionsOf } from "../doc-topics.ts";
import { isWatched, wrapText } from "../terminal.ts";

/** `imprint explain`: what the package's docs say about an error code, an option or a subject. */
export async function explain({ args: [topic], context }: CommandRun<object>): Promise<CommandResult> {
  const text = topic === undefined ? listTopics() : findText(topic);
  const width = isWatched(context.out, context.environment) ? Math.min(context.out.columns ?? 80, 100) : 120;
  return { document: `${fitTo(text.replace(/^#+ /, "").trim(), width)}\n` };
}

function findText(topic: string): string {
  const [errors, options] = [sectionsOf("errors"), sectionsOf("options")];
  const found = errors.get(topic.toUpperCase()) ?? options.get(fullOptionName(topic, [...options.keys()]));
  if (found !== undefined) return found;
  const { pages } = findTopics();
  if (pages.includes(topic)) return readPage(topic);
  const nearest =
    nearestName(topic, [...pages, ...options.keys()]) ?? nearestName(topic.toUpperCase(), [...errors.keys()]);
  throw new ImprintError("USAGE", `The docs have no error, option or page "${topic}".`, {
    hint:
      nearest === undefined ? "Run `imprint explain` to list them." : `Did you mean \`imprint explain ${nearest}\`?`,
  });
}

/** Returns the only option that ends with the name, such as `posts.settle` for `settle`; else the name itself. */
function fullOptionName(name: string, options: readonly string[]): string {
  const [full = name, ...others] = options.filter((each) => each.endsWith(`.${name}`));
  return others.length > 0 || options.includes(name) ? name : full;
}

function listTopics(): string {
  const { pages, options, errors } = findTopics();
  return `Pages\n\n${pages.join(", ")}\n\nOptions\n\n${options.join(", ")}\n\nErrors\n\n${errors.join(", ")}\n`;
}

/** Wraps paragraphs and lists; leaves tables and code unchanged. */
function fitTo(text: string, width: number): string {
  let isCode = false;
  return text
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("```")) isCode = !isCode;
      return isCode || /^\s*(?:\||$)/.test(line) ? [line] : wrapText(line, width);
    })
    .join("\n");
}
