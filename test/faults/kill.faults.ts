import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunningService } from "../../src/service.ts";
import { startProxy } from "./proxy.ts";
import type { Proxy } from "./proxy.ts";
import { copyProject, createTemplate, describeService, openWorld, run, WORLDS } from "./world.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const PAGES = 60;

interface Victim {
  readonly root: string;
  readonly proxy: Proxy;
  readonly service: RunningService;
  /** The run is killed when the service has done this request, before the answer arrives. */
  readonly after: number;
}

async function killAt({ root, proxy, service, after }: Victim): Promise<void> {
  const child = spawn(process.execPath, [cli, "publish", "--root", root], {
    env: { ...process.env, IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: proxy.url },
    stdio: "ignore",
  });
  proxy.meddle(({ number, forward }) =>
    number < after
      ? undefined
      : forward().then(() => {
          child.kill("SIGKILL");
        }),
  );
  const [code, signal]: readonly unknown[] = await once(child, "exit");
  proxy.meddle(() => undefined);
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
}

describe.each(WORLDS)("a publish of 60 pages to route set $routeSet, $mode", ({ routeSet, strict }) => {
  it("converges after kill -9 at every request", async () => {
    const service = await openWorld({ routeSet, strict });
    onTestFinished(() => service.close());
    const proxy = await startProxy(service.baseUrl(routeSet));
    onTestFinished(() => proxy.close());
    const template = await createTemplate(PAGES);
    const { apiKey } = service;
    const target = { baseUrl: proxy.url, apiKey };

    await run({ ...target, root: await copyProject(template) });
    const requests = proxy.count();
    const undisturbed = await describeService(service, routeSet);

    const different: string[] = [];
    for (let after = 1; after <= requests; after++) {
      await service.reset();
      const root = await copyProject(template);
      await killAt({ root, proxy, service, after });
      const report = await run({ ...target, root });
      const state = await describeService(service, routeSet);
      const again = await run({ ...target, root });
      const bad = report.entries.filter((entry) => entry.kind === "failed" || entry.kind === "blocked");
      if (bad.length > 0) different.push(`request ${after}: ${bad[0]?.resource} ${bad[0]?.name}: ${bad[0]?.reason}`);
      if (JSON.stringify(state) !== JSON.stringify(undisturbed)) different.push(`request ${after}: other state`);
      if (again.requests.writes > 0) different.push(`request ${after}: ${again.requests.writes} writes in a third run`);
    }
    const name = `route set ${routeSet.toUpperCase()} ${strict ? "strict" : "full"}`;
    console.log(`kill -9, ${name}: ${requests} request boundaries, ${requests - different.length} converged`);
    expect(different).toEqual([]);
  });
});
