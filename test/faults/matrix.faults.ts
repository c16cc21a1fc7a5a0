import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ImprintError } from "../../src/base/error.ts";
import { sha256 } from "../../src/base/hash.ts";
import type { Report } from "../../src/publish.ts";
import type { RunningService } from "../../src/service.ts";
import { NETWORK_FAULTS } from "./faults.ts";
import type { NetworkFault } from "./faults.ts";
import { passOn, startProxy } from "./proxy.ts";
import type { Proxy } from "./proxy.ts";
import { copyProject, createTemplate, describeService, openWorld, run, WORLDS } from "./world.ts";

const PAGES = 3;
// Waits are not waited for; silence counts as silence after a quarter of a second.
const CONNECTION = { timeoutMs: 250, sleep: async () => {} };

/** How a run with one fault ended. */
interface Ending {
  readonly report: Report | undefined;
  readonly error: ImprintError | undefined;
}

interface Row {
  readonly name: string;
  /** Runs that ended as if nothing had happened. */
  readonly unharmed: number;
  /** Runs that failed in words and that the next run put right. */
  readonly failed: number;
  readonly wrong: readonly string[];
}

async function endingOf(work: Promise<Report>): Promise<Ending> {
  try {
    return { report: await work, error: undefined };
  } catch (error) {
    if (error instanceof ImprintError) return { report: undefined, error };
    throw error;
  }
}

interface Setting {
  readonly service: RunningService;
  readonly proxy: Proxy;
  readonly template: string;
  readonly routeSet: "a" | "b";
  readonly requests: number;
  readonly undisturbed: readonly string[];
}

/** Meets every request of a run in turn with one fault, and runs once more without it. */
async function tryFault(fault: NetworkFault, setting: Setting): Promise<Row> {
  const { service, proxy, template, routeSet, requests, undisturbed } = setting;
  let [unharmed, failed] = [0, 0];
  const wrong: string[] = [];
  for (let at = 1; at <= requests; at++) {
    await service.reset();
    const target = {
      root: await copyProject(template),
      baseUrl: proxy.url,
      apiKey: service.apiKey,
      connection: CONNECTION,
    };
    let met = "";
    proxy.meddle((exchange) => {
      const request = `${exchange.method} ${exchange.path}`;
      if (exchange.number === at && fault.paths?.test(exchange.path) !== false) met = request;
      const isMet =
        (met !== "" && exchange.number === at) ||
        (met !== "" && (fault.lasts === "always" || (fault.lasts === "here" && request === met)));
      return isMet ? fault.work(exchange) : undefined;
    });
    const { report, error } = await endingOf(run(target));
    proxy.meddle(() => undefined);
    if (met === "") continue;
    const place = `${fault.name} at request ${at} (${met})`;
    const isSame = () =>
      describeService(service, routeSet).then((now) => JSON.stringify(now) === JSON.stringify(undisturbed));
    if (report?.exitCode === 0 && countBlocked(report) === 0) {
      if (await isSame()) unharmed++;
      else wrong.push(`${place}: reported as done, and it is not`);
      continue;
    }
    if (!isClear({ report, error })) wrong.push(`${place}: fails without words`);
    await run(target);
    if (await isSame()) failed++;
    else wrong.push(`${place}: the next run does not put it right`);
  }
  return { name: fault.name, unharmed, failed, wrong };
}

function countBlocked(report: Report): number {
  return report.entries.filter(({ kind }) => kind === "blocked").length;
}

function isClear({ report, error }: Ending): boolean {
  if (error !== undefined) return error.message !== "" && error.hint !== "";
  const bad = report?.entries.filter(({ kind }) => kind === "failed" || kind === "blocked") ?? [];
  return bad.length > 0 && bad.every((entry) => (entry.error?.message ?? entry.reason) !== "");
}

async function openSetting({ routeSet, strict }: { routeSet: "a" | "b"; strict: boolean }): Promise<Setting> {
  const service = await openWorld({ routeSet, strict });
  onTestFinished(() => service.close());
  const proxy = await startProxy(service.baseUrl(routeSet));
  onTestFinished(() => proxy.close());
  const template = await createTemplate(PAGES);
  // What is optimized once need not be again: the cache comes with the template.
  await run({ root: template, baseUrl: proxy.url, apiKey: service.apiKey });
  await rm(join(template, ".imprint", "state"), { recursive: true });
  const requests = proxy.count();
  return { service, proxy, template, routeSet, requests, undisturbed: await describeService(service, routeSet) };
}

describe.each(WORLDS)("route set $routeSet, $mode", ({ routeSet, strict, mode }) => {
  it("ends every run with a single fault as it should be, or says what failed and puts it right", async () => {
    const setting = await openSetting({ routeSet, strict });
    const rows: Row[] = [];
    for (const fault of NETWORK_FAULTS.filter((each) => (process.env["FAULT"] ?? each.name) === each.name))
      rows.push(await tryFault(fault, setting));
    const table = rows.map(
      ({ name, unharmed, failed, wrong }) =>
        `  ${name.padEnd(24)} ${String(unharmed).padStart(4)} unharmed ${String(failed).padStart(4)} told and put right ${String(wrong.length).padStart(4)} wrong`,
    );
    console.log([`Route set ${routeSet.toUpperCase()} ${mode}, ${setting.requests} requests:`, ...table].join("\n"));
    expect(rows.flatMap((row) => row.wrong)).toEqual([]);
  });

  it("says that the disk is full in the middle of a run, and puts it right", async () => {
    const { service, proxy, template, undisturbed } = await openSetting({ routeSet, strict });
    await service.reset();
    const root = await copyProject(template);
    const state = join(root, ".imprint", "state");
    await mkdir(state, { recursive: true });
    const journal = join(state, `${sha256(proxy.url).slice(0, 16)}.journal`);
    // The disk fills up while the service is asked what it has: this device answers ENOSPC to every write.
    proxy.meddle(({ number, answer, forward }) =>
      number !== 3 ? undefined : symlink("/dev/full", journal).then(async () => passOn(answer, await forward())),
    );
    const target = { root, baseUrl: proxy.url, apiKey: service.apiKey };
    const { error } = await endingOf(run(target));
    proxy.meddle(() => undefined);
    expect(error?.code).toBe("STATE_UNWRITABLE");
    expect(error?.message).toContain("journal");
    await rm(journal);
    await run(target);
    expect(await describeService(service, routeSet)).toEqual(undisturbed);
  });

  it("is not misled by a clock that jumps back and forth", async () => {
    const { service, proxy, template, undisturbed } = await openSetting({ routeSet, strict });
    await service.reset();
    const root = await copyProject(template);
    let turn = 0;
    const now = () => Date.UTC(2026, 0, 1) + (turn++ % 2 === 0 ? 1 : -1) * 86_400_000 * turn;
    proxy.meddle(({ number, path, answer }) => {
      if (number % 3 !== 0 || path.endsWith("/posts")) return undefined;
      answer.writeHead(429, { "retry-after": new Date(Date.now() + 1000).toUTCString() }).end();
      return Promise.resolve();
    });
    const report = await run({ root, baseUrl: proxy.url, apiKey: service.apiKey, connection: { ...CONNECTION, now } });
    proxy.meddle(() => undefined);
    expect(report.exitCode).toBe(0);
    expect(await describeService(service, routeSet)).toEqual(undisturbed);
  });
});
