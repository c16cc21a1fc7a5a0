// One publish in its own process, as in a CI build. Reports the result to the parent.
import { parseOptions, publish } from "../../../dist/publish.js";
import type { Job, Published } from "./job.ts";

const job: Job = JSON.parse(process.argv[2] ?? "{}");
let plannedAt = 0;
const report = await publish({
  projectRoot: job.root,
  dist: `${job.root}/dist`,
  options: parseOptions({
    images: { optimize: false },
    site: { name: "Bench" },
    ...(job.hasBrandKit === true ? {} : { brandKit: false }),
  }),
  onPlanned: () => {
    plannedAt = performance.now();
  },
  target: { ...job.host, routeSet: "auto", identity: "bench", close: async () => {} },
});
const failed = report.entries.filter(({ kind }) => kind === "failed" || kind === "blocked");
if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed[0]?.error?.message ?? failed[0]?.reason}`);
const isFirst = report.requests.writes > 0;
const { create } = report.counts["brand kit"];
if (isFirst && (create === 1) !== (job.hasBrandKit === true)) throw new Error("No brand kit was created.");
const { user, system } = process.cpuUsage();
const published: Published = {
  requests: report.requests.total,
  writes: report.requests.writes,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  sendingMs: performance.now() - plannedAt,
  cpuMs: (user + system) / 1000,
};
process.send?.(published, () => process.disconnect());
