import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { FaultRow } from "./table.ts";
import { needsBlog } from "./verdict.ts";
import { copyProject, createVirtualTime, describeService, findOrMakeBlog, run, type Setting } from "./world.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

export interface Killing {
  /** Name of the row. */
  readonly name: string;
  /** Numbers of the requests to kill at, starting at 1. */
  readonly numbers: readonly number[];
  /** Whether the request at which a run is killed still reaches the service. */
  readonly moment: "after" | "before";
}

/** Publishes repeatedly in a child process, and kills it at each of the requests. */
export async function killAtEach(setting: Setting, killing: Killing): Promise<FaultRow> {
  const { name, numbers, moment } = killing;
  const wrong: string[] = [];
  for (const number of numbers) {
    const found = await killAt(number, { setting, moment });
    if (found !== undefined) wrong.push(`${moment} request ${number} (${setting.requests[number - 1]}): ${found}`);
  }
  return { name, cell: `${numbers.length - wrong.length}/${numbers.length}`, wrong };
}

/** Returns the numbers of requests that differ in kind from the previous one. */
export function findNewKinds({ requests }: Pick<Setting, "requests">): readonly number[] {
  const kinds = requests.map((request) => request.replace(/(?<=(?:PUT|DELETE) \/api\/pages\/).*/, ""));
  return kinds.flatMap((kind, index) => (kind === kinds[index - 1] ? [] : [index + 1]));
}

interface Place extends Pick<Killing, "moment"> {
  readonly setting: Setting;
}

/** Returns what is wrong after a killed run and the two following ones; `undefined` if nothing is. */
async function killAt(number: number, { setting, moment }: Place): Promise<string | undefined> {
  const { service, proxy, template, undisturbed } = setting;
  await setting.restore();
  const { root, remove } = await copyProject(template);
  await publishAndKill(root, { number, setting, moment });
  const connection = createVirtualTime();
  // The run may have to wait until the list of posts is certainly up to date.
  await connection.sleep(LATER_MS, undefined);
  const next = (blogId?: string) => run({ root, baseUrl: proxy.url, apiKey: service.apiKey, connection, blogId });
  const first = await next();
  const report = needsBlog(first) ? await next(await findOrMakeBlog(service)) : first;
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
  { number, setting, moment }: Place & { readonly number: number },
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
