import { syncPosts, type PostsRun } from "./sync-posts.ts";
import type { HeldFile, PostChange } from "../../posts/plan/changes.ts";
import { confirmChange } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts, withPostsTarget } from "./open-posts.ts";
import { renderPostsRun } from "./render-run.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { paintFor } from "../terminal.ts";
import { renderAnnotation } from "../../sync/report/annotation.ts";
import { formatJson } from "../print.ts";

const PROBE_RISK =
  "Send one edited post a second time, to find out whether the service then updates it? If the service creates a second post instead, only you can delete that one, in the dashboard.";

const NO_END = Number.MAX_SAFE_INTEGER;

/** `imprint posts plan` and `imprint posts sync`: the same run, the first without its writes. */
export async function postsSyncCommand(flags: PostsFlags, context: CliContext): Promise<ExitCode> {
  if (flags.watch !== true) return await runOnce(flags, context);
  // Who watches is writing: whatever was asked for, nothing is sent.
  const report = () => runOnce({ ...flags, dryRun: true }, context);
  const { parsePort, watchPosts } = await import("./watch-posts.ts");
  await watchPosts(await openLocalPosts(flags, context), { port: parsePort(flags.port), context, report });
  return 0;
}

async function runOnce(flags: PostsFlags, context: CliContext): Promise<ExitCode> {
  const dryRun = flags.dryRun === true;
  const probes = flags.probeUpsert === true && !dryRun;
  if (probes && !(await confirmChange(PROBE_RISK, flags, context))) return 1;
  const run = await withPostsTarget({ flags, context }, (request) => syncPosts({ ...request, dryRun, probes }));
  const { out, environment } = context;
  const paint = paintFor(out, environment);
  const text = { paint, dryRun, now: new Date(), columns: out.isTTY === true ? (out.columns ?? 80) : NO_END };
  out.write(flags.json === true ? renderJson(run) : renderPostsRun(run, text));
  // On the error stream, so that `--json` output stays whole.
  if (environment["GITHUB_ACTIONS"] === "true") context.error.write(annotationsOf(run));
  return exitCodeOf(run, { strict: flags.strict === true });
}

function annotationsOf({ plan, local, outcomes }: PostsRun): string {
  const open = plan.posts.filter(({ kind }) => kind === "blocked" || kind === "orphan");
  const message = (reason: string, hint: string | undefined) => (hint === undefined ? reason : `${reason}\n${hint}`);
  const failed = outcomes.flatMap(({ name, error }) => (error === undefined ? [] : [{ name, error }]));
  const fileOf = (name: string) => plan.posts.find((change) => change.name === name)?.file ?? name;
  return [
    ...local.problems.map(({ file, line, column, message }) =>
      renderAnnotation({ level: "error", file, line, column, title: "Post not published", message }),
    ),
    ...local.held.flatMap(({ file, doubts = [] }) =>
      doubts.map((doubt) => renderAnnotation({ level: "warning", file, title: "Post on hold", ...doubt })),
    ),
    ...open.map(({ file, reason, hint }) =>
      renderAnnotation({ level: "warning", file, title: "Post not synced", message: message(reason, hint) }),
    ),
    ...failed.map(({ name, error }) =>
      renderAnnotation({ level: "error", file: fileOf(name), title: error.title, message: error.message }),
    ),
  ].join("");
}

function renderJson({ plan, local, outcomes, probe }: PostsRun): string {
  const posts = plan.posts.map((change) => {
    const { name: slug, file, kind, state, reason, hint, edit } = change;
    return { slug, file, kind, state, reason, hint, edit, places: placesOf(change) };
  });
  const pages = plan.pages.map(({ name: slug, kind, reason }) => ({ slug, kind, reason }));
  const done = outcomes.map(({ resource, kind, name, status, url, error }) => ({
    resource,
    kind,
    name,
    status,
    url,
    error: error === undefined ? undefined : { code: error.code, message: error.message },
  }));
  const { held, problems, warnings, privateFiles } = local;
  const report = { version: 1, posts, pages, held, problems, warnings, privateFiles, outcomes: done, probe };
  return formatJson(report);
}

function placesOf(change: PostChange): readonly string[] | undefined {
  if (change.kind === "blocked") return change.places;
  return change.kind === "orphan" && change.url !== undefined ? [change.url] : undefined;
}

// What this service can't do is no failure of the run, unless it is asked to be one.
function exitCodeOf({ plan, local, outcomes }: PostsRun, { strict }: { readonly strict: boolean }): ExitCode {
  const isDuplicate = plan.posts.some((change) => change.kind === "blocked" && change.state === "duplicate");
  const hasFailed = outcomes.some(({ status }) => status === "failed");
  if (local.problems.length > 0 || isDuplicate || hasFailed) return 1;
  const isUnsynced =
    plan.posts.some(({ kind, state }) => kind === "blocked" || state === "needs-build") || local.held.some(isOnHold);
  return strict && isUnsynced ? 2 : 0;
}

function isOnHold({ reason }: HeldFile): boolean {
  return reason === "unclear";
}
