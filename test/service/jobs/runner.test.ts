import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import { createJobRunner, type Job } from "../../../src/service/jobs/runner.ts";
import { holdJob, listJobs } from "../../../src/service/store/jobs.ts";
import { endClaim } from "../../../src/service/store/rows.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR = 60 * 60 * 1000;

async function openJobs() {
  const dataDir = join(await temporaryFolder(), "data");
  let time = START;
  const errors: string[] = [];
  return {
    errors,
    pass: (ms: number) => void (time += ms),
    /** A process with its own store on the same database. */
    async process(jobs: readonly Job[]) {
      const store = await openStore({ dataDir, now: new Date(time) });
      const logger = { ...SILENT_LOGGER, error: (message: string) => void errors.push(message) };
      const options = { database: store.database, logger, jobs, now: () => new Date(time), isBackground: false };
      const runner = createJobRunner(options);
      onTestFinished(async () => {
        await runner.close();
        await store.close();
      });
      return { runner, database: store.database };
    },
  };
}

function countingJob(run: () => Promise<void> = async () => {}) {
  const ran: Date[] = [];
  const job: Job = {
    ...{ name: "count", everyMs: HOUR },
    async run(now) {
      ran.push(now);
      await run();
    },
  };
  return { job, ran };
}

describe("a job", () => {
  it("runs at startup, and again when it is due", async () => {
    const world = await openJobs();
    const { job, ran } = countingJob();
    const { runner } = await world.process([job]);
    expect(await runner.runDue()).toEqual(["count"]);
    expect(await runner.runDue()).toEqual([]);
    world.pass(HOUR);
    expect(await runner.runDue()).toEqual(["count"]);
    expect(ran).toEqual([new Date(START), new Date(START + HOUR)]);
  });

  it("is aborted when its process ends, and completed by another one", async () => {
    const world = await openJobs();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const endless: Job = {
      ...{ name: "count", everyMs: HOUR },
      async run(_, closing) {
        begin();
        await new Promise((_resolve, reject) => closing.addEventListener("abort", () => reject(closing.reason)));
      },
    };
    const { runner } = await world.process([endless]);
    const running = runner.runDue();
    await begun;
    await runner.close();
    expect([await running, world.errors]).toEqual([[], []]);
    const { runner: other } = await world.process([countingJob().job]);
    expect(await other.runDue()).toEqual(["count"]);
  });

  it("runs in one of several processes that find it due at the same time", async () => {
    const world = await openJobs();
    const { job, ran } = countingJob(() => new Promise((resolve) => setImmediate(resolve)));
    const runners = await Promise.all([1, 2, 3, 4].map(() => world.process([job])));
    const done = await Promise.all(runners.map(({ runner }) => runner.runDue()));
    expect(done.flat()).toEqual(["count"]);
    expect(ran).toHaveLength(1);
  });

  it("is retried soon after it fails, and the failure is logged", async () => {
    const world = await openJobs();
    let isBroken = true;
    const { job, ran } = countingJob(async () => {
      if (isBroken) throw new Error("the disk is full");
    });
    const { runner } = await world.process([job]);
    await runner.runDue();
    expect(world.errors).toEqual(["Job count failed: the disk is full"]);
    isBroken = false;
    world.pass(5 * 60 * 1000);
    await runner.runDue();
    expect(ran).toHaveLength(2);
  });

  it("is taken over from a dead process once its lease has expired", async () => {
    const world = await openJobs();
    const { job, ran } = countingJob();
    const { runner, database } = await world.process([job]);
    const lease = { token: "of a process that died", until: new Date(START + HOUR) };
    expect(await holdJob(database, "count", { lease, now: new Date(START) })).toBe(true);
    expect(await runner.runDue()).toEqual([]);
    world.pass(HOUR);
    expect(await runner.runDue()).toEqual(["count"]);
    expect(ran).toHaveLength(1);
  });

  it("can be paused and resumed", async () => {
    const world = await openJobs();
    const { job } = countingJob();
    const { runner, database } = await world.process([job]);
    const lease = { token: "backup", until: new Date(START + HOUR) };
    await holdJob(database, "count", { lease, now: new Date(START) });
    expect(await holdJob(database, "count", { lease: { ...lease, token: "other" }, now: new Date(START) })).toBe(false);
    await endClaim(database, "job", { claim: { id: "count", token: "other" } });
    expect(await runner.runDue()).toEqual([]);
    await endClaim(database, "job", { claim: { id: "count", token: "backup" } });
    expect(await runner.runDue()).toEqual(["count"]);
  });

  it("runs even if a wrong clock scheduled it far in the future", async () => {
    const world = await openJobs();
    const { job } = countingJob();
    const { runner, database } = await world.process([job]);
    world.pass(1000 * HOUR);
    await runner.runDue();
    world.pass(-1000 * HOUR);
    expect(await runner.runDue()).toEqual(["count"]);
    expect(await listJobs(database)).toEqual([{ name: "count", dueAt: new Date(START + HOUR) }]);
  });

  it("doesn't start while the service closes", async () => {
    const world = await openJobs();
    const { job, ran } = countingJob();
    const { runner } = await world.process([job]);
    const running = runner.runDue();
    await runner.close();
    await running;
    expect(ran).toEqual([]);
  });
});
