// Publishing beside a bare client, as whole processes: `npm run bench:peers [pages] [dist]`, 1,000 pages of the built
// program by default. Pages of 12 KB, 300 images of 60 KB sent as they are, no brand, 50 ms for every request. Each row is
// the median of three runs that take turns; ratios are to the floor's wall time in the same turns.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { LATENCY_MS, withHost } from "./sync/host.ts";
import type { Address, BareJob } from "./sync/job.ts";
import { changePages, createSite, pageFile } from "./sync/site.ts";

const [pagesWanted = "1000", dist = fileURLToPath(new URL("../../dist", import.meta.url))] = process.argv.slice(2);
const size = { pages: Number(pagesWanted), images: 300 };
const CHANGED = 10;
const ROUNDS = size.pages > 10_000 ? 1 : 3;
const SLOTS = 64;
const PHASES = ["first", "nothing changed", "10 changed"] as const;

interface Cost {
  readonly wall: number;
  readonly processor: number;
  readonly megabytes: number;
}

interface Place {
  readonly root: string;
  readonly host: Address;
  readonly bare: string;
}

interface Row {
  readonly name: string;
  /** Whether the service does no work of its own. */
  readonly thin: boolean;
  readonly commands: (place: Place) => readonly (readonly string[])[];
}

const ROWS: readonly Row[] = [
  {
    name: "floor: PUT each, 64 in flight",
    thin: true,
    commands: ({ root, host, bare }) => {
      const changed = Array.from({ length: CHANGED }, (_, number) => pageFile(number + 1));
      const jobs: readonly Pick<BareJob, "what" | "only">[] = [
        { what: "send" },
        { what: "look" },
        { what: "send", only: changed },
      ];
      return jobs.map((job) => {
        const whole: BareJob = { root, host, slots: SLOTS, perSecond: 0, ...job };
        return [bare, JSON.stringify(whole)];
      });
    },
  },
  { name: "imprint, service without work", thin: true, commands: publishThrice },
  { name: "imprint, own service", thin: false, commands: publishThrice },
];

function publishThrice({ root }: Place): readonly (readonly string[])[] {
  return PHASES.map(() => [join(resolve(dist), "cli.js"), "publish", join(root, "dist")]);
}

/** One process from its start to its end, as GNU `time` sees it. */
async function measure(command: readonly string[], { root, host }: Place): Promise<Cost> {
  const own = { IMPRINT_SERVICE: host.baseUrl, IMPRINT_API_KEY: host.apiKey };
  const child = spawn("/usr/bin/time", ["-f", "%e %U %S %M", process.execPath, ...command], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: root, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${error}`);
  const [wall = 0, user = 0, system = 0, kilobytes = 0] = (error.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { wall, processor: user + system, megabytes: kilobytes / 1024 };
}

async function runRow(row: Row): Promise<readonly Cost[]> {
  const root = await createSite(size);
  try {
    const bare = await buildBareClient(root);
    return await withHost({ thin: row.thin }, async (host) => {
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
        costs.push(await measure(command, place));
      }
      return costs;
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** The bare client as JavaScript, so that its time holds no removing of types. */
async function buildBareClient(root: string): Promise<string> {
  const source = readFileSync(new URL("sync/bare-client.ts", import.meta.url), "utf8");
  const file = join(root, "bare-client.mjs");
  await writeFile(file, stripTypeScriptTypes(source).replace('"undici"', `"${import.meta.resolve("undici")}"`));
  return file;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function describe(costs: readonly Cost[], floor: number): string {
  const [wall, processor, megabytes] = [
    median(costs.map((cost) => cost.wall)),
    median(costs.map((cost) => cost.processor)),
    median(costs.map((cost) => cost.megabytes)),
  ];
  return `${wall.toFixed(2)} / ${processor.toFixed(2)} (${(wall / floor).toFixed(1)} x), ${megabytes.toFixed(0)} MB`;
}

const measured = ROWS.map((): (readonly Cost[])[] => []);
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, row] of ROWS.entries()) measured[index]?.push(await runRow(row));
}
const floors = PHASES.map((_, phase) => median((measured[0] ?? []).map((costs) => costs[phase]?.wall ?? 0)));
const host = `${cpus().length} processors, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 16)}`;
console.log(`${size.pages} pages + ${size.images} images, ${LATENCY_MS} ms a request, ${host}`);
console.log("wall / processor seconds (x floor), peak memory\n");
console.log(`| | ${PHASES.join(" | ")} |\n|---|${PHASES.map(() => "---|").join("")}`);
for (const [index, { name }] of ROWS.entries()) {
  const cells = PHASES.map((_, phase) => {
    const costs = (measured[index] ?? []).flatMap((round) => round[phase] ?? []);
    return describe(costs, floors[phase] ?? 0);
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
console.log(
  "\nwrangler and rclone speak to services of their own kind, which aren't started here: see the speed notes.",
);
