import type { SitePost } from "../../src/posts/post.ts";
import { emptyDisk, localPost, runOnce, type Death, type Disk, type RunResult, type World } from "./world.ts";

/** The result of several runs. */
export interface Verdict {
  /** Posts that the blog has more than once, counted by title. */
  readonly duplicates: number;
  /** Local posts that the blog lacks. */
  readonly missing: number;
  /** Whether a run failed because of a duplicate. */
  readonly isReported: boolean;
  /** Why the last run did not publish what is missing. */
  readonly reasons: readonly string[];
}

const POSTS: readonly SitePost[] = [localPost("alpha"), localPost("beta")];
const QUARTER_HOUR_MS = 900_000;

/** Returns the names of the steps of an undisturbed run. */
export async function stepsOf(world: World): Promise<readonly string[]> {
  await world.restart();
  const { steps } = await runOnce(world, { disk: emptyDisk(), posts: POSTS });
  return steps;
}

/** The process dies, and is restarted immediately and again 15 minutes later on the same machine. */
export async function killAndRunAgain(world: World, death: Death): Promise<Verdict> {
  await world.restart();
  const disk = emptyDisk();
  const killed = await runOnce(world, { disk, posts: POSTS, death });
  const again = await runOnce(world, { disk, posts: POSTS });
  world.clock.advance(QUARTER_HOUR_MS);
  return await judge(world, [killed, again, await runOnce(world, { disk, posts: POSTS })]);
}

/** The same, but every run starts on an empty machine, as nothing is committed. */
export async function killWithoutMemory(world: World, death: Death): Promise<Verdict> {
  await world.restart();
  const killed = await runOnce(world, { disk: emptyDisk(), posts: POSTS, death });
  const again = await runOnce(world, { disk: emptyDisk(), posts: POSTS });
  world.clock.advance(QUARTER_HOUR_MS);
  return await judge(world, [killed, again, await runOnce(world, { disk: emptyDisk(), posts: POSTS })]);
}

/** A second runner publishes everything before the nth step of the first; both finish. */
export async function runTwoAtOnce(world: World, step: number): Promise<Verdict> {
  await world.restart();
  const disks: readonly [Disk, Disk] = [emptyDisk(), emptyDisk()];
  const runs: RunResult[] = [];
  const work = async () => void runs.push(await runOnce(world, { disk: disks[1], posts: POSTS }));
  runs.push(await runOnce(world, { disk: disks[0], posts: POSTS, interlude: { step, work } }));
  world.clock.advance(QUARTER_HOUR_MS);
  return await judge(world, [...runs, await runOnce(world, { disk: disks[0], posts: POSTS })]);
}

/** The response to the nth POST is lost or corrupted. */
export async function loseAnswer(world: World, fault: Parameters<World["setFaults"]>[0]): Promise<Verdict> {
  await world.restart();
  const disk = emptyDisk();
  world.setFaults(fault);
  const disturbed = await runOnce(world, { disk, posts: POSTS });
  world.setFaults({});
  const again = await runOnce(world, { disk, posts: POSTS });
  world.clock.advance(QUARTER_HOUR_MS);
  return await judge(world, [disturbed, again, await runOnce(world, { disk, posts: POSTS })]);
}

async function judge(world: World, runs: readonly RunResult[]): Promise<Verdict> {
  const outcomes = runs.at(-1)?.outcomes ?? [];
  const titles = (await world.everything()).map(({ title }) => title);
  const counts = POSTS.map(({ title }) => titles.filter((each) => each === title).length);
  const open = outcomes.filter(({ status }) => status !== "done");
  return {
    duplicates: counts.filter((count) => count > 1).length,
    missing: counts.filter((count) => count === 0).length,
    isReported: runs.some((run) => run.outcomes.some(({ error }) => error?.code === "POST_DUPLICATE")),
    reasons: open.map(({ reason, error }) => error?.code ?? reason),
  };
}
