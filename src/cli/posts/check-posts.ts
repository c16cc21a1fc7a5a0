import { pluralize } from "../../base/pluralize.ts";
import type { DesiredPosts } from "../../posts/local/desire-posts.ts";
import type { HeldFile } from "../../posts/plan/changes.ts";
import { renderPlace } from "../../posts/read/problems.ts";
import { renderAnnotation, type Annotation } from "../../sync/report/render-ci.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { wrapFor } from "../terminal.ts";
import { openLocalPosts, readPostsFolder, type LocalPostsRequest } from "./open-posts.ts";

/** `imprint posts check`: reports all problems in the files at once. */
export async function check(run: AccountRun): Promise<AccountResult> {
  const { flags, context } = run;
  const request = await openLocalPosts(flags, context);
  if (flags.watch !== true) return await checkOnce(request, run);
  const { watchPosts } = await import("./watch-posts.ts");
  return await watchPosts(request, { ...run, port: flags.port }, () => checkOnce(request, run));
}

type Finding = Annotation & { readonly file: string };

async function checkOnce(request: LocalPostsRequest, { flags, context, paint }: AccountRun) {
  const { posts: local } = await readPostsFolder(request);
  const { problems, warnings, privateFiles } = local;
  const findings: readonly Finding[] = [
    ...problems.map((problem) => ({ ...problem, level: "error" as const, title: "Post not published" })),
    ...warnings.map((warning) => ({ ...warning, level: "warning" as const, title: "Post" })),
  ];
  const isGithub = flags.github ?? context.environment["GITHUB_ACTIONS"] === "true";
  const isFailed = problems.length > 0 || (flags.strict === true && warnings.length > 0);
  return {
    json: { version: 1, findings, privateFiles },
    text: isGithub
      ? findings.map(renderAnnotation).join("")
      : renderFindings(findings, local, { paint, wrap: wrapFor(context.out) }),
    exitCode: isFailed ? (1 as const) : (0 as const),
  };
}

function renderFindings(
  findings: readonly Finding[],
  local: DesiredPosts,
  { paint, wrap }: Pick<AccountRun, "paint"> & { readonly wrap: ReturnType<typeof wrapFor> },
): string {
  const unrendered = local.held.filter(isUnrendered);
  const lines = [
    ...findings.map((finding) => {
      const sign = finding.level === "error" ? paint("bad", "x") : paint("warn", "!");
      return `${sign} ${renderPlace(finding)}  ${finding.message}`;
    }),
    ...unrendered.map(({ file }) => `${paint("dim", ".")} ${file}  ${UNRENDERED}`),
  ];
  return [
    ...lines.map((line) => `${wrap(line, "    ")}\n`),
    ...(lines.length === 0 ? [] : ["\n"]),
    `${paint(local.problems.length === 0 ? "good" : "bad", summaryOf(local))}\n`,
    ...describePrivate(local.privateFiles).map((line) => `${wrap(line, "  ")}\n`),
  ].join("");
}

const MOST_NAMED = 5;

function describePrivate(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const count =
    files.length === 1
      ? "1 private file (leading underscore) was"
      : `${files.length} private files (leading underscore) were`;
  return [`${count} skipped: ${files.slice(0, MOST_NAMED).join(", ")}${files.length > MOST_NAMED ? ", …" : ""}`];
}

// One that can't be extracted from the build is counted as a problem.
function isUnrendered({ reason, isUnextracted }: HeldFile): boolean {
  return reason === "needs-build" && isUnextracted !== true;
}

const UNRENDERED = "rendered by `astro build`; not checked by this command";

function summaryOf({ problems, warnings, posts, held }: DesiredPosts): string {
  const files = new Set(problems.map(({ file }) => file)).size;
  const unrendered = held.filter(isUnrendered).length;
  const counts = [
    `${pluralize(problems.length, "problem")} in ${pluralize(files, "file")}`,
    pluralize(warnings.length, "warning"),
    `${pluralize(posts.length, "post")} ready`,
    ...(unrendered === 0 ? [] : [`${unrendered} waiting for a build`]),
    `${held.length - files - unrendered} on hold`,
  ];
  return counts.join(", ");
}
