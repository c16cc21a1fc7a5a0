// One history: the editor's changes, the publisher's runs, and the verdicts.

import { createDesk, isReady, type Desk, type Tree } from "./desk.ts";
import type { HostPost, RunningHost } from "./hosts.ts";
import { entriesOf, judge, type Failure, type Snapshot } from "./judge.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { editForLater, firstPosts, MAIN_MOVES, OTHER_MOVES, removeForLater } from "./moves.ts";
import type { Plan } from "./plan-history.ts";
import { createProject, type Project } from "./project.ts";
import { answerHolds, isHeld } from "./answer-holds.ts";
import type { PublisherRun } from "./report.ts";
import { drawVocabulary, writeParagraph, writeTitle } from "./texts.ts";

export interface HistoryFailure extends Failure {
  /** Number of the step after which it was found. */
  readonly step: number;
}

export interface HistoryResult {
  readonly plan: Plan;
  readonly steps: readonly string[];
  /** The first of each kind. */
  readonly failures: readonly HistoryFailure[];
  /** Ready posts that a run put on hold. */
  readonly held: number;
  /** Number of those that were published after the editor's decision. */
  readonly resolved: number;
  readonly runs: number;
  /** Whether it ended early because a run waited a minute for a post. */
  readonly waited: boolean;
}

/** A clone with its files. */
interface Clone {
  readonly project: Project;
  tree: Tree;
}

interface World {
  readonly plan: Plan;
  readonly host: RunningHost;
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly foreign: readonly HostPost[];
  readonly log: Log;
  /** The active clone, then the others. */
  clones: readonly Clone[];
  before: Snapshot;
  /** Whether the active clone remembers every post. */
  remembers: boolean;
  /** Whether the active clone has outdated files. */
  isBehind: boolean;
}

interface Log {
  steps: readonly string[];
  failures: readonly HistoryFailure[];
  held: ReadonlySet<number>;
  resolved: number;
  runs: number;
  waited: boolean;
}

/** A longer run waited for something; no other takes this long, even on a busy machine. */
const WAITED_MS = 50_000;

export async function runHistory(plan: Plan): Promise<HistoryResult> {
  const host = await plan.host.start();
  const world = await openWorld(plan, host);
  try {
    await work(world, [firstPosts]);
    await sync(world);
    if (plan.kind === "restored renamed") await work(world, [removeForLater]);
    for (let count = plan.random.between(0, 2); count > 0; count -= 1) await workAndMaybeSync(world, 0.6);
    if (plan.clones !== "one") await addClone(world);
    if (plan.random.chance(0.3)) await workAndSync(world, editForLater);
    await meetMainMove(world);
    for (let count = plan.random.between(1, 3); count > 0; count -= 1) await workAndMaybeSync(world, 0.7);
    await sync(world);
    await sync(world);
  } finally {
    await Promise.all(world.clones.map(({ project }) => project.remove()));
    await host.close();
  }
  return { plan, ...world.log, held: world.log.held.size };
}

async function openWorld(plan: Plan, host: RunningHost): Promise<World> {
  const { random } = plan;
  const blogId = await host.createBlog("journal");
  if (plan.hasPostsByHand) await writeByHand(host, blogId, plan);
  const foreign = await host.read();
  const project = await createProject(host, {
    git: plan.git,
    sharesLock: plan.clones !== "two with a lock file each",
    blog: plan.blogBy === "id" ? { id: blogId } : { slug: "journal" },
    prune: plan.prunes,
  });
  return {
    ...{ plan, host, foreign },
    desk: createDesk(random),
    ledger: createLedger(foreign),
    log: { steps: [], failures: [], held: new Set(), resolved: 0, runs: 0, waited: false },
    clones: [{ project, tree: new Map() }],
    before: { posts: foreign, own: [] },
    ...{ remembers: true, isBehind: false },
  };
}

/** Creates posts in the dashboard; one of them starts like the project's own weekly notes. */
async function writeByHand(host: RunningHost, blogId: string, { random }: Plan): Promise<void> {
  const words = drawVocabulary(random);
  const html = (text: string) => `<p>${text}</p>`;
  const opening = "Hello everyone, and welcome to the notes of this week.";
  const week = { slug: "by-hand", title: "Notes of week 9", html: html(`${opening} ${writeParagraph(words, random)}`) };
  await host.writeByHand(blogId, week);
  const other = { slug: "by-hand-too", title: `${writeTitle(words, random)}, by hand` };
  await host.writeByHand(blogId, { ...other, html: html(writeParagraph(words, random)) });
}

function activeOf({ clones }: World): Clone {
  const [active] = clones;
  if (active === undefined) throw new Error("A history has a clone to work in.");
  return active;
}

function say({ log }: World, step: string): void {
  log.steps = [...log.steps, step];
}

type MoveLike = (desk: Desk) => string | undefined;

async function work(world: World, moves: readonly MoveLike[]): Promise<boolean> {
  const { desk, plan } = world;
  const done = moves.flatMap((move) => move(desk) ?? []);
  if (done.length === 0) return false;
  for (const step of done) say(world, step);
  const active = activeOf(world);
  active.tree = desk.tree;
  await active.project.write(desk.tree);
  if (plan.commits === "before") await active.project.commit();
  return true;
}

async function workAndSync(world: World, move: MoveLike): Promise<void> {
  if (await work(world, [move])) await sync(world);
}

async function workAndMaybeSync(world: World, share: number): Promise<void> {
  const { random } = world.plan;
  await work(world, [random.pick(OTHER_MOVES)]);
  if (world.clones.length > 1 && random.chance(0.5)) await changeClone(world);
  if (random.chance(share)) await sync(world);
}

async function meetMainMove(world: World): Promise<void> {
  const { plan } = world;
  await work(world, [MAIN_MOVES[plan.kind]]);
  if (plan.random.chance(0.2)) await work(world, [plan.random.pick(OTHER_MOVES)]);
  if (world.clones.length > 1) await changeClone(world);
  if (plan.losesBefore) await lose(world);
  await sync(world);
  if (!plan.losesBefore) await lose(world);
}

async function lose(world: World): Promise<void> {
  const { state } = world.plan;
  if (state === "kept") return;
  await activeOf(world).project.lose(state);
  world.remembers = false;
  say(world, state === "lock lost" ? "lose imprint.lock.json" : "lose imprint.lock.json and .imprint/");
}

async function addClone(world: World): Promise<void> {
  const active = activeOf(world);
  world.clones = [active, { project: await active.project.clone(), tree: active.tree }];
  say(world, `clone the project (${world.plan.clones})`);
}

/** The other clone pulls this one's changes, or runs once with its old files. */
async function changeClone(world: World): Promise<void> {
  const { plan, desk } = world;
  const [active, other] = world.clones;
  if (active === undefined || other === undefined) return;
  world.clones = [other, active];
  const isBehind = plan.random.chance(0.25);
  if (isBehind || plan.clones === "two with a lock file each") world.remembers = false;
  if (isBehind) {
    say(world, "run in the other clone, which has the files of before");
    world.isBehind = true;
    await sync(world);
    world.isBehind = false;
    world.clones = [active, other];
    return;
  }
  await other.project.pull(active.project, active.tree);
  other.tree = active.tree;
  desk.take(active.tree);
  say(world, "go on in the other clone, with the files of this one");
}

async function sync(world: World): Promise<void> {
  const { plan } = world;
  // All following runs would wait as long.
  if (world.log.waited) return;
  const run = await runOnce(world, ["posts", "sync", "--json"]);
  noteHolds(world, run);
  if (!plan.answersHolds || run.crash !== undefined) return;
  const { tree, project } = activeOf(world);
  const answers = answerHolds({ run, tree, own: world.before.own, slugsOf: world.desk.slugsOf });
  if (answers.length === 0) return;
  for (const { argv } of answers) {
    const answered = await project.run(...argv);
    say(world, `imprint ${argv.join(" ")}: exit code ${answered.code}`);
    if (answered.code === 0) continue;
    addFailures(world, [{ kind: "answer refused", what: answered.said.slice(0, 300) }]);
  }
  const again = await runOnce(world, ["posts", "sync", "--json"]);
  const open = answers.filter(({ file }) => entriesOf(again, file).some(isHeld));
  world.log.resolved += answers.length - open.length;
}

/** Runs once, and judges it by the host's content before and after. */
async function runOnce(world: World, argv: readonly string[]): Promise<PublisherRun> {
  const { plan, ledger, host, desk, foreign, before } = world;
  const { project, tree } = activeOf(world);
  ledger.note(tree);
  const start = performance.now();
  const run = await project.run(...argv);
  if (performance.now() - start > WAITED_MS) world.log.waited = true;
  if (plan.commits === "after" || plan.clones !== "one") await project.commit();
  const posts = await host.read();
  const after: Snapshot = { posts, own: ledger.identify(posts) };
  world.log.runs += 1;
  say(world, `imprint ${argv.join(" ")}: exit code ${run.code}${run.summary === "" ? "" : ` (${run.summary})`}`);
  const canKnowAll = world.remembers || plan.host.showsMarkers;
  const { isBehind } = world;
  const { canUpdate } = plan.host;
  addFailures(
    world,
    judge({
      run,
      tree,
      slugsOf: desk.slugsOf,
      before,
      after,
      foreign,
      canUpdate,
      isBehind,
      prunes: plan.prunes,
      canKnowAll,
    }),
  );
  world.before = after;
  desk.notePublished(new Set(after.own.flatMap(({ version }) => version?.identity ?? [])));
  return run;
}

function addFailures({ log }: World, failures: readonly Failure[]): void {
  const step = log.steps.length;
  for (const failure of failures) {
    if (log.failures.some(({ kind }) => kind === failure.kind)) continue;
    log.failures = [...log.failures, { ...failure, step }];
  }
}

function noteHolds({ log, before, clones }: World, run: PublisherRun): void {
  const inBlog = new Set(before.own.flatMap(({ version, post }) => (post.isVisible ? (version?.identity ?? []) : [])));
  const held = [...(clones[0]?.tree.values() ?? [])].filter((post) => {
    const entries = entriesOf(run, post.file);
    return entries.some(isHeld) || (isReady(post) && !inBlog.has(post.identity) && entries.length > 0);
  });
  log.held = new Set([...log.held, ...held.map(({ identity }) => identity)]);
}
