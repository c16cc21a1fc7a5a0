import { ImprintError, messageOf } from "../../src/base/error.ts";
import type { ConnectionOptions } from "../../src/client.ts";
import type { Report } from "../../src/publish.ts";
import type { Proxy } from "./proxy.ts";
import { copyProject, describeService, findOrMakeBlog, run, type Setting } from "./world.ts";
import type { FaultRow } from "./table.ts";

/** The result of a disturbed run. */
export type Verdict =
  | { readonly kind: "unharmed" }
  /** It reported what failed, and the next run fixed it. */
  | { readonly kind: "reported" }
  | { readonly kind: "wrong"; readonly why: string };

/** A verdict with its location. */
export type PlacedVerdict = Verdict & { readonly place: string };

/** A disturbance of a run. */
export interface Trial {
  readonly connection: Required<Pick<ConnectionOptions, "now" | "sleep">> & Pick<ConnectionOptions, "timeoutMs">;
  /** The proxy of the service. Default: the setting's own. */
  readonly proxy?: Proxy;
  /** Called before the run, with its project. */
  begin(root: string): void;
  /** Called after it. */
  end?(root: string): Promise<void> | void;
}

/**
 * Disturbs a run. The service must end up as after an undisturbed run: immediately, or after a reported failure and one
 * more run.
 */
export async function tryRun(setting: Setting, trial: Trial): Promise<Verdict> {
  const { service, template, proxy: own } = setting;
  const { connection, proxy = own } = trial;
  await setting.restore();
  const { root, remove } = await copyProject(template);
  const publish = (blogId?: string) =>
    endingOf(run({ root, baseUrl: proxy.url, apiKey: service.apiKey, connection, blogId }));
  trial.begin(root);
  const first = await publish();
  proxy.meddle(() => undefined);
  await trial.end?.(root);
  const verdict = await judge(first, { setting, again: publish, connection });
  await remove();
  return verdict;
}

const LATER_MS = 3_600_000;

interface EvaluationContext extends Pick<Trial, "connection"> {
  readonly setting: Setting;
  readonly again: (blogId?: string) => Promise<Ending>;
}

async function judge(first: Ending, { setting, again, connection }: EvaluationContext): Promise<Verdict> {
  const { service, undisturbed } = setting;
  if (isDone(first)) {
    const held = await describeService(service);
    if (held === undisturbed) return { kind: "unharmed" };
    return wrong(`reported as done, and it is not: ${firstDifference(undisturbed, held)}`);
  }
  if (!isClear(first)) return wrong(`fails without words: ${wordsOf(first)}`);
  // A run that got a later retry time waits for it.
  await connection.sleep(LATER_MS, undefined);
  const asked = await again();
  const second = asksForBlog(asked) ? await again(await findOrMakeBlog(service)) : asked;
  if (!isDone(second)) return wrong(`after "${wordsOf(first)}" the next run says "${wordsOf(second)}"`);
  const held = await describeService(service);
  if (held === undisturbed) return { kind: "reported" };
  return wrong(`after "${wordsOf(first)}" the next run leaves ${firstDifference(undisturbed, held)}`);
}

/** Summarizes the verdicts of a row. */
export function sumUp(name: string, verdicts: readonly PlacedVerdict[]): FaultRow {
  const count = (kind: Verdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
  return {
    name,
    cell: `${count("unharmed")} + ${count("reported")}`,
    wrong: verdicts.flatMap((verdict) => (verdict.kind === "wrong" ? [`${verdict.place}: ${verdict.why}`] : [])),
  };
}

type Ending =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "error"; readonly error: ImprintError }
  | { readonly kind: "crash"; readonly reason: unknown };

async function endingOf(work: Promise<Report>): Promise<Ending> {
  try {
    return { kind: "report", report: await work };
  } catch (error) {
    return error instanceof ImprintError ? { kind: "error", error } : { kind: "crash", reason: error };
  }
}

function isDone(ending: Ending): boolean {
  return ending.kind === "report" && ending.report.exitCode === 0 && failuresOf(ending.report).length === 0;
}

function failuresOf({ entries }: Report) {
  return entries.filter(({ kind, error }) => kind === "failed" || kind === "blocked" || error !== undefined);
}

function isClear(ending: Ending): boolean {
  if (ending.kind === "error") return ending.error.message !== "" && ending.error.hint !== "";
  if (ending.kind === "crash") return false;
  const failures = failuresOf(ending.report);
  return failures.length > 0 && failures.every((entry) => (entry.error?.message ?? entry.reason) !== "");
}

function asksForBlog(ending: Ending): boolean {
  return ending.kind === "report" && needsBlog(ending.report);
}

/** Whether a report asks for the ID of a blog, as only a person can find out whether one was created, or create it. */
export function needsBlog(report: Report): boolean {
  return failuresOf(report).some(
    ({ resource, hint }) => resource === "blog" && hint?.includes("`posts.blog.id`") === true,
  );
}

function wordsOf(ending: Ending): string {
  if (ending.kind === "error") return ending.error.message;
  if (ending.kind === "crash") return `crash: ${messageOf(ending.reason)}`;
  return failuresOf(ending.report)
    .map(({ resource, name, reason, error }) => `${resource} ${name}: ${error?.message ?? reason}`)
    .join("; ");
}

function firstDifference(expected: string, actual: string): string {
  const [wanted, held] = [expected.split("\n"), actual.split("\n")];
  const lacks = wanted.filter((line) => !held.includes(line)).map((line) => `- ${line.slice(0, 150)}`);
  const has = held.filter((line) => !wanted.includes(line)).map((line) => `+ ${line.slice(0, 150)}`);
  return [...lacks, ...has, `${held.length - wanted.length} lines more`].slice(0, 3).join(" | ");
}

function wrong(why: string): Verdict {
  return { kind: "wrong", why };
}
