import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { copyProject, createVirtualTime, describeService, openSetting, run } from "./world.ts";
import type { Setting } from "./world.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const PAGES = 60;

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(inject("world"), PAGES);
});
afterAll(() => setting.close());

/** Whether the request that a run is killed in still reaches the service. */
type Moment = "after" | "before";

it("a publish of 60 pages converges after kill -9 at every request that the service has done", async ({ task }) => {
  const numbers = setting.requests.map((_, index) => index + 1);
  const wrong = await killAtEach(numbers, "after");
  const cell = `${numbers.length - wrong.length}/${numbers.length}`;
  task.meta.faultRows = [{ name: "kill -9 after each request", cell, wrong }];
  expect(wrong).toEqual([]);
});

it("a publish of 60 pages converges after kill -9 before each new kind of request arrives", async ({ task }) => {
  const kinds = setting.requests.map((request) => request.replace(/(?<=PUT \/api\/pages\/).*/, ""));
  const numbers = kinds.flatMap((kind, index) => (kind === kinds[index - 1] ? [] : [index + 1]));
  const wrong = await killAtEach(numbers, "before");
  const cell = `${numbers.length - wrong.length}/${numbers.length}`;
  task.meta.faultRows = [{ name: "kill -9 before a request", cell, wrong }];
  expect(wrong).toEqual([]);
});

async function killAtEach(numbers: readonly number[], moment: Moment): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const number of numbers) {
    const found = await killAt(number, moment);
    if (found !== undefined) wrong.push(`${moment} request ${number} (${setting.requests[number - 1]}): ${found}`);
  }
  return wrong;
}

/** What is wrong after a run that was killed, and the two that follow; `undefined` when nothing is. */
async function killAt(number: number, moment: Moment): Promise<string | undefined> {
  const { service, proxy, template, undisturbed } = setting;
  await service.reset();
  const { root, remove } = await copyProject(template);
  await publishAndKill(root, { number, moment });
  const connection = createVirtualTime();
  // It may have to wait until the list of posts is surely not late any more, and says until when.
  await connection.sleep(LATER_MS, undefined);
  const next = () => run({ root, baseUrl: proxy.url, apiKey: service.apiKey, connection });
  const report = await next();
  const state = await describeService(service);
  const { requests } = await next();
  await remove();
  const bad = report.entries.find(({ kind }) => kind === "failed" || kind === "blocked");
  if (bad !== undefined) return `${bad.resource} ${bad.name}: ${bad.reason}`;
  if (state !== undisturbed) return "the next run leaves another state";
  return requests.writes === 0 ? undefined : `the run after the next sends ${requests.writes} writes`;
}

const LATER_MS = 3_600_000;

async function publishAndKill(
  root: string,
  { number, moment }: { readonly number: number; readonly moment: Moment },
): Promise<void> {
  const { proxy, service } = setting;
  const child = spawn(process.execPath, [cli, "publish", "--root", root], {
    env: {
      ...process.env,
      IMPRINT_API_KEY: service.apiKey,
      IMPRINT_SERVICE: proxy.url,
      NODE_COMPILE_CACHE: join(tmpdir(), "imprint-faults-compiled"),
    },
    stdio: "ignore",
  });
  const arrived: Promise<unknown>[] = [];
  proxy.meddle((exchange) => {
    if (exchange.number < number) return undefined;
    const done = moment === "after" ? exchange.forward() : Promise.resolve();
    arrived.push(done);
    return done.then(() => void child.kill("SIGKILL"));
  });
  const [code, signal]: readonly unknown[] = await once(child, "exit");
  await Promise.all(arrived);
  proxy.meddle(() => undefined);
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
}
