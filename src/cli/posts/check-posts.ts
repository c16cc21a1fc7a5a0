import type { DesiredPosts } from "../../posts/local/desire-posts.ts";
import { readPostsFolder } from "./sync-posts.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts, type LocalRequest } from "./open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { paintFor, wrapFor } from "../terminal.ts";
import { renderPlace } from "../../posts/read/problems.ts";
import { renderAnnotation } from "../../sync/report/annotation.ts";
import { formatJson } from "../print.ts";

/** `imprint posts check`: everything that is wrong with the files, at once. */
export async function postsCheckCommand(flags: PostsFlags, context: CliContext): Promise<ExitCode> {
  const request = await openLocalPosts(flags, context);
  const check = () => checkOnce(request, { flags, context });
  if (flags.watch !== true) return await check();
  const { parsePort, watchPosts } = await import("./watch-posts.ts");
  await watchPosts(request, { port: parsePort(flags.port), context, report: check });
  return 0;
}

async function checkOnce(
  request: LocalRequest,
  { flags, context }: { readonly flags: PostsFlags; readonly context: CliContext },
): Promise<ExitCode> {
  const { out, environment } = context;
  const { posts: local } = await readPostsFolder(request);
  const findings = [
    ...local.problems.map((problem) => ({ ...problem, level: "error" as const, title: "Post not published" })),
    ...local.warnings.map((warning) => ({ ...warning, level: "warning" as const, title: "Post" })),
  ];
  const errors = local.problems.length;
  const warnings = local.warnings.length;
  if (flags.json === true) {
    const { privateFiles } = local;
    out.write(formatJson({ version: 1, findings, privateFiles }));
  } else if (flags.github ?? environment["GITHUB_ACTIONS"] === "true") {
    out.write(findings.map(renderAnnotation).join(""));
  } else {
    const [paint, wrap] = [paintFor(out, environment), wrapFor(out)];
    for (const finding of findings) {
      const sign = finding.level === "error" ? paint("bad", "x") : paint("warn", "!");
      out.write(`${wrap(`${sign} ${renderPlace(finding)}  ${finding.message}`, "    ")}\n`);
    }
    const unrendered = local.held.filter(({ reason }) => reason === "needs-build");
    for (const { file } of unrendered) out.write(`${wrap(`${paint("dim", ".")} ${file}  ${UNRENDERED}`, "    ")}\n`);
    const isEmpty = findings.length + unrendered.length === 0;
    out.write(`${isEmpty ? "" : "\n"}${paint(errors === 0 ? "good" : "bad", summaryOf(local))}\n`);
    const skipped = describePrivate(local.privateFiles);
    if (skipped !== undefined) out.write(`${wrap(skipped, "  ")}\n`);
  }
  return errors > 0 || (flags.strict === true && warnings > 0) ? 1 : 0;
}

const MOST_NAMED = 5;

function describePrivate(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const count =
    files.length === 1
      ? "1 private file (leading underscore) was"
      : `${files.length} private files (leading underscore) were`;
  return `${count} skipped: ${files.slice(0, MOST_NAMED).join(", ")}${files.length > MOST_NAMED ? ", …" : ""}`;
}

const UNRENDERED = "rendered by `astro build`; not checked by this command";

function summaryOf({ problems, warnings, posts, held }: DesiredPosts): string {
  const files = new Set(problems.map(({ file }) => file)).size;
  const unrendered = held.filter(({ reason }) => reason === "needs-build").length;
  const counts = [
    `${problems.length} problems in ${files} files`,
    `${warnings.length} warnings`,
    `${posts.length} posts ready`,
    ...(unrendered === 0 ? [] : [`${unrendered} waiting for a build`]),
    `${held.length - files - unrendered} on hold`,
  ];
  return counts.join(", ");
}
