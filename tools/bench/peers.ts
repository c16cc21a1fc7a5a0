// Compares publishing, as whole processes, with a bare client, and with rclone and wrangler if they are in the PATH:
// `npm run bench:peers [pages] [dist]`, by default 1,000 pages with the built program. Pages of 12 KB, 300 images of 60
// KB that are sent unchanged, no brand kit, 50 ms per request. Each row is the median of three alternating runs; ratios
// are relative to the bare client's wall time. Then what the integration adds to `astro build` if nothing changed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { measureBuilds } from "./peers/build.ts";
import { measure, median, type Cost } from "./peers/measure.ts";
import { LATENCY_MS, withHost, type HostOptions } from "./sync/host.ts";
import type { Address, BareJob } from "./sync/job.ts";
import { changePages, createSite, pageFile } from "./sync/site.ts";

const [pagesWanted = "1000", dist = fileURLToPath(new URL("../../dist", import.meta.url))] = process.argv.slice(2);
const size = { pages: Number(pagesWanted), images: 300 };
const CHANGED = 10;
const ROUNDS = size.pages > 10_000 ? 1 : 3;
const SLOTS = 64;
const PHASES = ["first", "nothing changed", "10 changed"] as const;

interface Place {
  readonly root: string;
  readonly host: Address;
  readonly bare: string;
}

interface Row {
  readonly name: string;
  readonly program: HostOptions["program"];
  readonly commands: (place: Place) => readonly (readonly string[])[];
}

const ROWS: readonly Row[] = [
  {
    name: "floor: PUT each, 64 in flight",
    program: "sync/thin-service.ts",
    commands: ({ root, host, bare }) => {
      const changed = Array.from({ length: CHANGED }, (_, number) => pageFile(number + 1));
      const jobs: readonly Pick<BareJob, "what" | "only">[] = [
        { what: "send" },
        { what: "look" },
        { what: "send", only: changed },
      ];
      return jobs.map((job) => {
        const whole: BareJob = { root, host, slots: SLOTS, perSecond: 0, ...job };
        return [process.execPath, bare, JSON.stringify(whole)];
      });
    },
  },
  {
    name: "rclone, tuned",
    program: "peers/storage.ts",
    commands: ({ host }) => thrice(["rclone", "sync", "dist", ":s3:bench", "--s3-endpoint", host.baseUrl, ...RCLONE]),
  },
  { name: "wrangler pages", program: "peers/storage.ts", commands: () => thrice(["wrangler", ...WRANGLER]) },
  { name: "imprint, service without work", program: "sync/thin-service.ts", commands: publishThrice },
  { name: "imprint, own service", program: "sync/service.ts", commands: publishThrice },
];

const RCLONE = [
  ...["--s3-provider", "Other", "--s3-access-key-id", "bench", "--s3-secret-access-key", "bench"],
  ...["--s3-no-check-bucket", "--s3-no-head", "--checksum", "--fast-list", "--transfers", "64", "--checkers", "64"],
];
const WRANGLER = ["pages", "deploy", "dist", "--project-name", "bench", "--branch", "main", "--commit-dirty=true"];

function thrice(command: readonly string[]): readonly (readonly string[])[] {
  return PHASES.map(() => command);
}

function publishThrice({ root }: Place): readonly (readonly string[])[] {
  return thrice([process.execPath, join(resolve(dist), "cli.js"), "publish", join(root, "dist")]);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

async function runRow(row: Row): Promise<readonly Cost[]> {
  const root = await createSite(size);
  try {
    const bare = await buildBareClient(root);
    return await withHost({ program: row.program }, async (host) => {
      const options = {
        images: { optimize: false },
        brandKit: false,
        site: { name: "Bench" },
        pagesUrl: host.pagesUrl,
      };
      await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify(options)};\n`);
      const place = { root, host, bare };
      const costs: Cost[] = [];
      for (const [phase, command] of row.commands(place).entries()) {
        if (phase === PHASES.length - 1) await changePages(root, size, CHANGED);
        costs.push(await measure(command, { root, environment: environmentOf(host) }));
      }
      return costs;
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

function environmentOf({ baseUrl, apiKey }: Address): Readonly<Record<string, string>> {
  const cloudflare = { ACCOUNT_ID: "bench", API_TOKEN: apiKey, API_BASE_URL: baseUrl };
  return {
    ...{ IMPRINT_SERVICE: baseUrl, IMPRINT_API_KEY: apiKey, CI: "1", WRANGLER_SEND_METRICS: "false" },
    ...Object.fromEntries(Object.entries(cloudflare).map(([name, value]) => [`CLOUDFLARE_${name}`, value])),
  };
}

/** Compiles the bare client to JavaScript, so that its time doesn't include type stripping. */
async function buildBareClient(root: string): Promise<string> {
  const source = readFileSync(new URL("sync/bare-client.ts", import.meta.url), "utf8");
  const file = join(root, "bare-client.mjs");
  await writeFile(file, stripTypeScriptTypes(source).replace('"undici"', `"${import.meta.resolve("undici")}"`));
  return file;
}

function describe(costs: readonly Cost[], floor: number): string {
  const [wall, processor, megabytes] = [
    median(costs.map((cost) => cost.wall)),
    median(costs.map((cost) => cost.processor)),
    median(costs.map((cost) => cost.megabytes)),
  ];
  return `${wall.toFixed(2)} / ${processor.toFixed(2)} (${(wall / floor).toFixed(1)} x), ${megabytes.toFixed(0)} MB`;
}

const rows = ROWS.filter(({ name }) => {
  const [program = ""] = name.split(/[ ,]/);
  return !["rclone", "wrangler"].includes(program) || isInstalled(program);
});
const measured = rows.map((): (readonly Cost[])[] => []);
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, row] of rows.entries()) measured[index]?.push(await runRow(row));
}
const floors = PHASES.map((_, phase) => median((measured[0] ?? []).map((costs) => costs[phase]?.wall ?? 0)));
const host = `${cpus().length} processors, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 16)}`;
console.log(`${size.pages} pages + ${size.images} images, ${LATENCY_MS} ms a request, ${host}`);
console.log("wall / processor seconds (x floor), peak memory\n");
console.log(`| | ${PHASES.join(" | ")} |\n|---|${PHASES.map(() => "---|").join("")}`);
for (const [index, { name }] of rows.entries()) {
  const cells = PHASES.map((_, phase) => {
    const costs = (measured[index] ?? []).flatMap((round) => round[phase] ?? []);
    return describe(costs, floors[phase] ?? 0);
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
if (rows.length < ROWS.length) console.log("\nrclone and wrangler are measured where they are installed.");
const { plain = 0, publishing = 0 } = await measureBuilds({ pages: size.pages, rounds: ROUNDS, dist: resolve(dist) });
const added = `${(((publishing - plain) / plain) * 100).toFixed(0)} %`;
console.log(
  `\nastro build, nothing changed: ${plain.toFixed(2)} processor seconds, with the integration ${publishing.toFixed(2)} (+${added})`,
);
