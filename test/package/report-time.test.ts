import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { hostInProcess } from "../flow/hosts.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const HOUR_MS = 3_600_000;
// As if the first line of the program ran after an hour.
const LATE_START = `data:text/javascript,const now = performance.now(); performance.now = () => now + ${HOUR_MS};`;

it("a report's duration is that of the whole process", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", LATE_START, cli, "plan", "--json", "--root", site.root],
    { env: { ...process.env, IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl, NODE_OPTIONS: "" } },
  );
  const { elapsedMs }: { readonly elapsedMs: number } = JSON.parse(stdout);
  expect(elapsedMs).toBeGreaterThanOrEqual(HOUR_MS);
});
