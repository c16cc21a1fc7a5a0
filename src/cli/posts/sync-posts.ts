import type { Outcome } from "../../base/outcome.ts";
import type { Probed, ProbeResult } from "../../posts/apply/probe-upsert.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import { publish, type Report } from "../../publish.ts";
import type { PlannedSite } from "../../sync/plan-run.ts";
import { renderAnnotation, type Annotation } from "../../sync/report/render-ci.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { confirmChange } from "../confirm.ts";
import type { ExitCode } from "../context.ts";
import { openLocalPosts, withPostsTarget, type PostsRequest } from "./open-posts.ts";
import { renderPostsRun } from "./report-posts.ts";

const PROBE_RISK =
  "Send one edited post again, to find out whether the service updates it? If it does, your other edits are sent, too. If the service creates a second post instead, only you can delete that one, in the dashboard.";

const NO_END = Number.MAX_SAFE_INTEGER;

/** `imprint posts plan`: `posts sync` without its writes. */
export function plan({ flags, ...run }: AccountRun): Promise<AccountResult> {
  return sync({ ...run, flags: { ...flags, dryRun: true } });
}

export async function sync(run: AccountRun): Promise<AccountResult> {
  const { flags, context } = run;
  if (flags.watch !== true) return await syncOnce(run);
  const { watchPosts } = await import("./watch-posts.ts");
  // With --watch the author is still writing, so nothing is sent, whatever the other flags are.
  const report = () => syncOnce({ ...run, flags: { ...flags, dryRun: true } });
  return await watchPosts(await openLocalPosts(flags, context), { ...run, port: flags.port }, report);
}

async function syncOnce({ flags, context, paint }: AccountRun) {
  const dryRun = flags.dryRun === true;
  const probes = flags.probeUpsert === true && !dryRun;
  if (probes && !(await confirmChange(PROBE_RISK, flags, context))) return { json: {}, text: "", exitCode: 1 as const };
  const run = await withPostsTarget({ flags, context }, (request) => syncPosts({ ...request, dryRun, probes }));
  const { out, environment } = context;
  const columns = out.isTTY === true ? (out.columns ?? 80) : NO_END;
  // On the error stream, so that `--json` output stays valid.
  if (environment["GITHUB_ACTIONS"] === "true") {
    context.error.write(annotationsOf(run).map(renderAnnotation).join(""));
  }
  return {
    json: jsonOf(run),
    text: renderPostsRun(run, { paint, dryRun, columns }),
    exitCode: exitCodeOf(run, flags),
  };
}

export interface SyncRequest extends PostsRequest {
  /**
   * Whether to send one edited post again to find out whether the service updates it. If the service creates a second
   * post instead, that post remains. Default: false.
   */
  readonly probes?: boolean;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface PostsRun extends Pick<PlannedSite, "plan" | "local" | "known">, Pick<Report, "exitCode"> {
  readonly outcomes: readonly Outcome[];
  /** The result of sending a post again; `undefined` if that wasn't tried. */
  readonly probe?: ProbeResult | undefined;
}

/**
 * Publishes the posts of a folder.
 *
 * @throws ImprintError as `publish` does
 */
export async function syncPosts({ probes, onOutcome, ...request }: SyncRequest): Promise<PostsRun> {
  const outcomes: Outcome[] = [];
  let probed: Probed = { result: undefined, edits: [] };
  const { promise, resolve } = Promise.withResolvers<PlannedSite>();
  const { exitCode } = await publish({
    ...request,
    only: "posts",
    onPlanned: resolve,
    onOutcome(outcome) {
      outcomes.push(outcome);
      onOutcome?.(outcome);
    },
    ...(probes === true ? { onProbed: (found) => void (probed = found) } : {}),
  });
  const { plan: changes, local, known } = await promise;
  const edits = new Map(probed.edits.map((edit) => [edit.name, edit]));
  const plan = { ...changes, posts: changes.posts.map((change) => edits.get(change.name) ?? change) };
  return { plan, local, known, outcomes, probe: probed.result, exitCode };
}

function annotationsOf({ plan: { posts }, local, outcomes }: PostsRun): readonly Annotation[] {
  const fileOf = (name: string) => posts.find((change) => change.name === name)?.file ?? name;
  return [
    ...local.problems.map((problem) => ({
      ...problem,
      level: "error" as const,
      title: "Post not published",
    })),
    ...local.held.flatMap(({ file, doubts = [] }) =>
      doubts.map((doubt) => ({ ...doubt, file, level: "warning" as const, title: "Post on hold" })),
    ),
    ...posts.flatMap(({ kind, file, reason, hint }) => {
      if (kind !== "blocked" && kind !== "orphan") return [];
      const message = hint === undefined ? reason : `${reason}\n${hint}`;
      return [{ file, level: "warning" as const, title: "Post not synced", message }];
    }),
    ...outcomes.flatMap(({ name, error }) => {
      if (error === undefined) return [];
      return [{ file: fileOf(name), level: "error" as const, title: error.title, message: error.message }];
    }),
  ];
}

function jsonOf({ plan: changes, local, outcomes, probe }: PostsRun) {
  const { held, problems, warnings, privateFiles } = local;
  return {
    version: 1,
    posts: changes.posts.map((change) => {
      const { name: slug, file, kind, state, reason, hint, edit } = change;
      return { slug, file, kind, state, reason, hint, edit, places: placesOf(change) };
    }),
    pages: changes.pages.map(({ name: slug, kind, reason }) => ({ slug, kind, reason })),
    held,
    problems,
    warnings,
    privateFiles,
    outcomes: outcomes.map(({ resource, kind, name, status, url, error }) => ({
      resource,
      kind,
      name,
      status,
      url,
      error: error && { code: error.code, message: error.message },
    })),
    probe,
  };
}

function placesOf(change: PostChange): readonly string[] | undefined {
  if (change.kind === "blocked") return change.places;
  return change.kind === "orphan" && change.url !== undefined ? [change.url] : undefined;
}

// The exit code of `imprint publish`; a strict run also fails if a post waits for a build or for a person.
function exitCodeOf({ plan: { posts }, local, exitCode }: PostsRun, flags: AccountRun["flags"]): ExitCode {
  const isWaiting =
    posts.some(({ state }) => state === "needs-build") || local.held.some(({ reason }) => reason === "unclear");
  return flags.strict === true && isWaiting ? 1 : exitCode;
}
