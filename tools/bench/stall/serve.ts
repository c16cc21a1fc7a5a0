// The service on a filled database, with a clock that the parent process moves.
import { startService } from "../../../dist/service.js";
import { EVENT_DAYS } from "./fill.ts";

const DAY_MS = 86_400_000;

let movedMs = 0;
const service = await startService({
  dataDir: process.argv[2],
  port: 0,
  pagesPort: 0,
  background: false,
  limits: { maxPages: 1_000_000, maxSites: 1000 },
  retention: { eventDays: EVENT_DAYS, submissionDays: 395, statsDays: 395 },
  now: () => new Date(Date.now() + movedMs),
});
const { url: signInUrl } = await service.createSignInLink();
process.send?.({ apiUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey: service.apiKey, signInUrl });

// The longest block of the main thread between two timer ticks, in milliseconds of processor time: unlike the latency
// of a probe, that is the same on a busy machine.
let [longestMs, before] = [0, process.threadCpuUsage()];
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  longestMs = Math.max(longestMs, (user + system) / 1000);
  before = process.threadCpuUsage();
}, 1).unref();

process.on("message", (message) => {
  const { moveDays, jobs } = Object(message);
  if (typeof moveDays === "number") movedMs += moveDays * DAY_MS;
  if (jobs === true) void service.runJobs().then((names) => process.send?.({ did: names }));
  else {
    process.send?.({ rss: process.memoryUsage.rss(), longestMs });
    longestMs = 0;
  }
});
process.once("SIGTERM", () => void service.close().then(() => process.exit(0)));
process.once("disconnect", () => process.exit(1));
