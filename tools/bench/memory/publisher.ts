// One publish in its own process, as in a CI build, with the default images and brand kit.
import { limitYoungSpace } from "../../../src/cli/young-space.ts";
import { parseOptions, publish } from "../../../dist/publish.js";
import type { Job } from "../sync/job.ts";

const job: Job = JSON.parse(process.argv[2] ?? "{}");
const report = await publish({
  projectRoot: job.root,
  dist: `${job.root}/dist`,
  options: parseOptions({ site: { name: "Bench" } }),
  target: { ...job.host, routeSet: "auto", identity: "bench", close: async () => {} },
  onStep({ kind }) {
    // As `imprint publish` does.
    if (kind === "pages") limitYoungSpace();
  },
});
const { user, system } = process.cpuUsage();
const failed = report.entries.filter(({ kind }) => kind === "failed" || kind === "blocked");
const words = failed.map(({ error, reason }) => error?.message ?? reason);
process.send?.({ failed: words, warnings: report.warnings.length, cpuSeconds: (user + system) / 1e6 }, () =>
  process.disconnect(),
);
