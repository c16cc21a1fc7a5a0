// The life of one project, or of two on one account.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { checkLive, noteOthers, type Others } from "./check-live.ts";
import type { Dialect } from "./dialect.ts";
import { startStranger, type Stranger } from "./host.ts";
import {
  forbiddenWrites,
  isAcceptable,
  isExcusedByHost,
  isExcusedWithoutMemory,
  isHiddenWithoutMemory,
  mayHoldWithoutMemory,
  type Memory,
} from "./excuses.ts";
import { namesOfRoute, type Difference } from "./live/difference.ts";
import { createConfig, runPublisher, type ProjectOptions, type PublisherRun } from "./run-publisher.ts";
import { createProject, putVersion, type BuiltSites, type Version } from "./sites.ts";
import { judge, type Expected, type Verdict } from "./verdict.ts";

export interface StepResult {
  readonly step: string;
  readonly verdict: Verdict;
}

export interface History {
  readonly dialect: Dialect;
  readonly memory: Memory;
  readonly sites: BuiltSites;
}

interface Step {
  readonly name: string;
  readonly version: Version;
  readonly byHand?: (stranger: Stranger) => void;
  readonly excused?: (difference: Difference) => boolean;
  readonly isUnchanged?: true;
}

const ABOUT = "/about/";
const POST = "The first ride of the year";

const STEPS: readonly Step[] = [
  { name: "first", version: "first" },
  { name: "nothing changed", version: "first", isUnchanged: true },
  { name: "change", version: "changed" },
  { name: "rename", version: "renamed" },
  { name: "delete", version: "deleted" },
  { name: "deleted by hand", version: "deleted", byHand: deleteByHand, excused: isOfDeleted },
  { name: "post edited", version: "post-edited", excused: isOfEditedPost },
  { name: "edited by hand", version: "post-edited", byHand: editByHand, excused: isOfEditedPage },
];

/** Runs one project from its first publish on. Memory is lost before each later step. */
export async function runOneProject({ dialect, memory, sites }: History): Promise<readonly StepResult[]> {
  const stranger = await startStranger(dialect);
  const project = await openProject(stranger, memory, firstOptions(dialect));
  try {
    const results: StepResult[] = [];
    let saidOnce = "";
    const excuses: ((difference: Difference) => boolean)[] = [];
    for (const [index, { name, version, byHand, excused, isUnchanged }] of STEPS.entries()) {
      if (index > 0) await project.loseMemory();
      if (index === 1) await project.configure(laterOptions());
      byHand?.(stranger);
      if (excused !== undefined) excuses.push(excused);
      const isFresh = index === 0 || results.every(({ verdict }) => verdict.kind === "ok");
      const verdict = await project.publish(sites[version], {
        isFirst: index === 0,
        isExcused: (difference) => excuses.some((isExcused) => isExcused(difference)),
        isUnchanged: isUnchanged === true && isFresh,
        mayHold: name === "edited by hand" ? namesOfRoute(ABOUT) : [],
        onRun: ({ reported }) => (saidOnce += reported),
      });
      results.push({
        step: name,
        verdict: name === "edited by hand" ? judgeHandEdit(stranger, { memory, verdict, saidOnce }) : verdict,
      });
      // Later results would be indistinguishable from this failure.
      if (verdict.kind === "WRONG" && index === 0) break;
    }
    return results;
  } finally {
    await project.remove();
    await stranger.close();
  }
}

/** Publishes a second project to the same account: with the same slugs, then with its own slugs and blog. */
export async function runTwoProjects(history: History): Promise<readonly StepResult[]> {
  const results = await runBeside(history, "collides first");
  const collision = results.find(({ step }) => step === "two collides");
  // If a collision caused damage, the rest is tested on another host.
  if (collision?.verdict.kind !== "WRONG") return results;
  return [...results, ...(await runBeside(history, "beside at once")).slice(1)];
}

async function runBeside(
  { dialect, memory, sites }: History,
  order: "collides first" | "beside at once",
): Promise<readonly StepResult[]> {
  const stranger = await startStranger(dialect);
  const one = await openProject(stranger, memory, firstOptions(dialect));
  try {
    const results: StepResult[] = [{ step: "one", verdict: await one.publish(sites.first, { isFirst: true }) }];
    if (results[0]?.verdict.kind === "WRONG") return results;
    const collides = order === "collides first";
    const two = await openProject(stranger, memory, secondOptions(dialect, collides ? {} : { slugs: OWN_SLUGS }));
    try {
      if (collides) {
        const verdict = await two.publish(sites["second-site"], { isFirst: true, collides });
        results.push({ step: "two collides", verdict });
        if (verdict.kind === "WRONG") return results;
        await two.configure(secondOptions(dialect, { slugs: OWN_SLUGS }));
      }
      results.push({ step: "two beside", verdict: await two.publish(sites["second-site"], { isFirst: true }) });
      await Promise.all([one.loseMemory(), two.loseMemory()]);
      await Promise.all([one.configure(laterOptions()), two.configure(secondOptions(undefined, { slugs: OWN_SLUGS }))]);
      results.push({ step: "two again", verdict: await two.publish(sites["second-site"], {}) });
      one.noteOthers(two);
      results.push({ step: "one changed", verdict: await one.publish(sites.changed, {}) });
      return results;
    } finally {
      await two.remove();
    }
  } finally {
    await one.remove();
    await stranger.close();
  }
}

// Route set B can't list blogs, so a user requests a new one once, and removes the option when it exists.
function firstOptions(dialect: Dialect | undefined): ProjectOptions {
  return { posts: { blog: dialect?.routeSet === "b" ? { create: true } : {} } };
}

function laterOptions(): ProjectOptions {
  return firstOptions(undefined);
}

const OWN_SLUGS = {
  "/": "lindenhof",
  "/about/": "lindenhofabout",
  "/menu/": "lindenhofmenu",
  "/garden/": "lindenhofgarden",
} as const;

function secondOptions(dialect: Dialect | undefined, more: Pick<ProjectOptions, "slugs">): ProjectOptions {
  const { blog } = firstOptions(dialect).posts;
  return { posts: { blog: { ...blog, name: "Lindenhof news", slug: "lindenhof-news" } }, ...more };
}

interface PublishStep {
  readonly isFirst?: boolean;
  readonly isUnchanged?: boolean;
  readonly collides?: boolean;
  readonly isExcused?: Expected["isExcused"];
  readonly mayHold?: readonly RegExp[];
  readonly onRun?: (run: PublisherRun) => void;
}

interface OpenProject {
  readonly others: () => Others;
  publish(built: string, step: PublishStep): Promise<Verdict>;
  configure(options: ProjectOptions): Promise<void>;
  loseMemory(): Promise<void>;
  /** Counts records that another project created since then as those of others. */
  noteOthers(other: OpenProject): void;
  remove(): Promise<void>;
}

async function openProject(stranger: Stranger, memory: Memory, options: ProjectOptions): Promise<OpenProject> {
  const root = await createProject();
  const { dialect, world } = stranger;
  const config = createConfig(root, stranger);
  await config.write(options);
  let others = noteOthers(world);
  return {
    others: () => others,
    configure: (options) => config.write(options),
    async loseMemory() {
      if (memory === "all kept") return;
      await rm(join(root, ".imprint"), { recursive: true, force: true });
      if (memory === "both lost") await rm(join(root, "imprint.lock.json"), { force: true });
    },
    noteOthers(other) {
      const [all, before] = [noteOthers(world), other.others()];
      others = withAdded(others, all, before);
    },
    async publish(built, step) {
      await putVersion(built, root);
      const run = await runPublisher(root, stranger);
      step.onRun?.(run);
      await setTimeout(dialect.pages.appearsAfterMs);
      const all = await checkLive({ stranger, project: root, others });
      if (step.collides === true) return judgeCollision(run, all);
      const isLost = step.isFirst !== true && memory === "both lost";
      const isStateExcused = (difference: Difference) => isLost && isExcusedWithoutMemory(dialect, difference);
      const isOfStep = (difference: Difference) => step.isExcused?.(difference) ?? false;
      const isHidden = (difference: Difference) => isLost && isHiddenWithoutMemory(dialect, difference);
      return judge(run, {
        dialect,
        differences: all.filter((difference) => !isHidden(difference)),
        hidden: all.filter(isHidden),
        isExcused: (difference) =>
          isExcusedByHost(dialect, difference, run.reported) || isStateExcused(difference) || isOfStep(difference),
        isAcceptable: (difference) => isAcceptable(dialect, difference, isOfStep),
        mayHold: [...(step.mayHold ?? []), ...(isLost ? mayHoldWithoutMemory(dialect) : [])],
        forbiddenWrites: step.isUnchanged === true ? forbiddenWrites(dialect, memory) : "none",
      });
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Returns the current records except those that only the project itself created. */
function withAdded(own: Others, all: Others, beforeOther: Others): Others {
  const added = (area: keyof Others) =>
    new Map([...all[area]].filter(([key]) => own[area].has(key) || !beforeOther[area].has(key)));
  return {
    pages: added("pages"),
    posts: added("posts"),
    blogs: added("blogs"),
    assets: added("assets"),
    sites: added("sites"),
    brandKits: added("brandKits"),
  };
}

/** Judges a second project with slugs of the first: exit code 1, both named, and nothing of the first changed. */
function judgeCollision(run: Awaited<ReturnType<typeof runPublisher>>, differences: readonly Difference[]): Verdict {
  const said = run.reported.replace(/\s+/g, " ").slice(0, 220);
  const wrong = (why: string): Verdict => ({ kind: "WRONG", why: `${why} | exit ${run.code}: ${said}` });
  if (run.crash !== undefined) return wrong(`crashed: ${run.crash.slice(0, 200)}`);
  const foreign = differences.filter(({ kind }) => kind === "foreign");
  if (foreign.length > 0) return wrong(foreign.map(({ what }) => what).join("; "));
  if (run.code !== 1) return wrong("slugs of another project, and not exit 1");
  const named = ["/", ABOUT].every((route) => namesOfRoute(route).some((name) => name.test(run.reported)));
  return named ? { kind: "reported", why: "collision named" } : wrong("the colliding slugs are not both named");
}

function slugOfRoute({ world }: Stranger, title: string): string {
  return [...world.pages.values()].find((page) => page.title === title)?.slug ?? "";
}

function deleteByHand(stranger: Stranger): void {
  const { world, byHand } = stranger;
  byHand.deletePage(slugOfRoute(stranger, "Setting up for winter"));
  for (const [blogId, posts] of world.posts) {
    for (const post of posts) if (post.title === POST) byHand.deletePost(blogId, post.id);
  }
  const pages = [...world.pages.values()];
  const used = [...world.assets.values()].find((asset) => pages.some(({ html }) => html.includes(asset.path)));
  if (used !== undefined) byHand.deleteAsset(used.id);
  const posts = [...world.posts.values()].flat();
  const shown = [...world.assets.values()].find((asset) => posts.some(({ html }) => html.includes(asset.path)));
  if (shown !== undefined) byHand.deleteAsset(shown.id);
}

function isOfDeleted({ kind, about }: Difference): boolean {
  return (
    about.includes("winter") ||
    (kind === "post-missing" && about === "first-ride") ||
    (kind === "post-file" && about === "new-stand")
  );
}

function isOfEditedPost({ kind, about }: Difference): boolean {
  return kind === "post-differs" && about === "new-stand";
}

const EDIT = ["ferry mechanics", "ferry mechanics (edited by hand)"] as const;

function editByHand(stranger: Stranger): void {
  stranger.byHand.editPage(slugOfRoute(stranger, "About Harbor Cycles"), (html) => html.replace(...EDIT));
}

function isOfEditedPage({ kind, about }: Difference): boolean {
  return kind === "page-differs" && about === ABOUT;
}

/** An edit by hand, which must be kept if it is visible. */
interface HandEdit {
  readonly memory: Memory;
  readonly verdict: Verdict;
  /** Output of earlier runs. */
  readonly saidOnce: string;
}

// HOSTS.md 3: if lists don't reveal edits, the publisher reports that once, and doesn't read every page in every run.
function judgeHandEdit({ dialect, world }: Stranger, { memory, verdict, saidOnce }: HandEdit): Verdict {
  const isOnlyEdit =
    verdict.kind === "WRONG" && /\/about\/ shows another text/.test(verdict.why) && !verdict.why.includes("; ");
  if (isOnlyEdit && /imprint notices an edit only when/i.test(saidOnce))
    return { kind: "reported", why: "edits can't be seen in lists, as it said once" };
  if (verdict.kind === "WRONG") return verdict;
  const isKept = [...world.pages.values()].some(({ html }) => html.includes(EDIT[1]));
  const isSeen = dialect.pages.keeps === "as-sent" && dialect.pages.reads !== "nothing" && memory !== "both lost";
  return isKept || !isSeen ? verdict : { kind: "WRONG", why: "an edit that somebody made at the host was overwritten" };
}
