import {
  DATE_KEYS,
  EXPIRY_KEYS,
  HIDDEN_WORDS,
  HIDING_KEYS,
  PARTLY_HIDING_KEYS,
  SHOWING_KEYS,
  SHOWN_WORDS,
  STATUS_KEYS,
  SWITCH_NAME,
  WAITING_KEYS,
} from "../../src/posts/read/not-yet.ts";
import { parsePost } from "../../src/posts/read/parse-post.ts";
import { holdingOf } from "../../src/posts/read/parse-posts.ts";

/** Renders the page; every verdict is the code's own result for a file with that front matter. */
export function renderPostsNotYetPage(): string {
  const switches = [...HIDING_KEYS, ...SHOWING_KEYS, ...PARTLY_HIDING_KEYS];
  const words = [...HIDDEN_WORDS, ...SHOWN_WORDS, "anything else"];
  return `# When a post is not published yet

The front matter that keeps a post from being published. Because a published post can't always be withdrawn, imprint
publishes a post only if nothing in its front matter may hide it. \`npm run docs\` writes this page from
\`src/posts/read/not-yet.ts\`: each verdict is the code's own result for that front matter.

Keys match in any case, with or without \`-\` and \`_\`, and also below \`params\` (Hugo) and \`extra\` (Zola). Words match in
any case, with spaces, \`-\` or \`_\`. If one key hides the post, no other key shows it.

| Verdict | Meaning |
| --- | --- |
| published | The key doesn't stop the post. |
| draft | The post is hidden. |
| scheduled | The post waits for the latest of its dates. |
| expired | The post is no longer published. |
| on hold | The front matter doesn't show whether the post is hidden. imprint reports the line and the option to set, and exits with code 0, unless \`--strict\` is set. |
| problem | The value is wrong. The command exits with code 1. |

## Map your own keys and words

\`\`\`js
imprint({
  posts: {
    fields: {
      status: "workflow", // the key that holds the status
      draft: "keepBack", // true hides the post
      published: "readyToPublish", // true shows the post
      ignore: ["unlistedInFeed", "params.keepPrivate"], // keys to ignore
    },
    statuses: { evergreen: "shown", seedling: "hidden" }, // words of the status
  },
});
\`\`\`

For \`draft\`, \`published\` and \`status\`, your key is read in addition to the keys below. To turn one of those off, add it to
\`ignore\`.

## Switches

${groupedTable(["Keys", "`true`", "`false`", '`"true"`, `yes`, `1`', "a word"], switches.map(switchRow))}

Any other key puts the post on hold if its name contains one of
${codes(SWITCH_NAME.source.split("|"))},
and its value is a switch or a word that hides a post. The same goes for such a word below a key that ends with \`status\`,
\`state\`, \`stage\` or \`workflow\`. Other values, such as dates, lists, paths and counts, don't matter:

${table(
  ["Front matter", "Verdict"],
  OTHERS.map((text) => [`\`${text}\``, judge(text)]),
)}

## Words of a status

Keys:
${codes(STATUS_KEYS)}.

${groupedTable(
  ["Words", "Verdict"],
  words.map((word) => [word === "anything else" ? word : `\`${word}\``, judge(`status: ${word}`)]),
)}

## Dates

${groupedTable(["Keys", "future date", "past date", "unreadable text"], [...new Set([...DATE_KEYS, ...WAITING_KEYS, ...EXPIRY_KEYS])].map(dateRow))}

A post shows the first of these dates that is set:
${codes(DATE_KEYS)}.

Other keys whose name contains \`publish\`, \`schedul\`, \`embargo\` or \`golive\` also wait if their value is a date.
\`updatedDate\`, \`lastmod\` and similar keys never wait.
`;
}

const OTHERS = [
  ...["unlistedInFeed: true", "unlistedInFeed: false", "readyToPublish: no", "notPublished: true", "showInList: true"],
  ...["reviewStatus: pending", "publishDate: 2024-01-01", "playlist: [a, b]", "listingImage: x.png"],
  ...[`publisher: "O'Reilly"`, "listOrder: 1", "hide_title: true", "toc: { hidden: true }", "permalink: false"],
];

function switchRow(key: string): readonly string[] {
  const values = ["true", "false", '"true"', "sometimes"];
  return [`\`${key}\``, ...values.map((value) => judge(`${key}: ${value}`))];
}

function dateRow(key: string): readonly string[] {
  const values = ["2099-01-01", "2020-01-01", "someday"];
  return [`\`${key}\``, ...values.map((value) => judge(`${key}: ${value}`))];
}

const NOW = new Date("2026-01-01T00:00:00Z");

function judge(frontMatter: string): string {
  const post = { file: "a.md", path: "a.md", text: `---\ntitle: A\n${frontMatter}\n---\nText\n` };
  const result = parsePost(post, { timezone: "UTC", fields: {}, statuses: {}, tags: "comma" });
  if (result.kind === "refused") return "problem";
  const [held] = holdingOf(result.post, NOW);
  if (held === undefined) return "published";
  return held.reason === "unclear" ? "on hold" : held.reason;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Renders a table with one row for all names that have the same verdicts. */
function groupedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const groups = Object.groupBy(rows, ([, ...verdicts]) => verdicts.join(" | "));
  return table(
    head,
    Object.entries(groups).map(([verdicts, same = []]) => [same.map(([name]) => name).join(", "), verdicts]),
  );
}

/** Renders words as code, on lines of at most 120 characters. */
function codes(words: readonly string[]): string {
  const text = words.map((word) => `\`${word}\``).join(", ");
  return text.replaceAll(/(.{1,119})(?:\s|$)/g, "$1\n").trimEnd();
}
