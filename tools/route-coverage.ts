// Runs the tests of the service and writes docs/route-coverage.md: for each row of both route sets and of the
// extensions, a test in which it succeeded and one in which it returned a problem.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../src/contract/routes.ts";

interface Sighting {
  /** `[route set, operation, outcome]` as JSON. */
  readonly key: string;
  readonly file: string;
  readonly test: string;
  /** Number of different operations and outcomes in the test: the fewer, the more specific it is. */
  readonly asked: number;
}

interface Row {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

// Excludes slow tests and those that cover every row, as they aren't specific to one.
const LONG = ["fuzz", "malformed", "crash", "archive", "shutdown", "contract.test", "bombs"].flatMap((name) => [
  "--exclude",
  `**/*${name}*/**`,
  "--exclude",
  `**/*${name}*`,
]);

const ROOT = fileURLToPath(new URL("..", import.meta.url));

// Set this to the notes of an earlier run to only render the table.
const noted = process.env["IMPRINT_ROUTE_COVERAGE"];
const folder = noted ?? mkdtempSync(join(tmpdir(), "imprint-routes-"));
try {
  if (noted === undefined) runTests();
  writeFileSync(join(ROOT, "docs/route-coverage.md"), render(readSightings()));
} finally {
  if (noted === undefined) rmSync(folder, { recursive: true });
}

function runTests(): void {
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "test/service", ...LONG], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, IMPRINT_ROUTE_COVERAGE: folder },
  });
  if (status !== 0) process.stderr.write("Some tests failed; the table contains their requests up to the failure.\n");
}

function readSightings(): ReadonlyMap<string, Sighting> {
  const best = new Map<string, Sighting>();
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  for (const line of lines.filter((each) => each !== "")) {
    const sighting: Sighting = JSON.parse(line);
    const known = best.get(sighting.key);
    if (known === undefined || rank(sighting) < rank(known)) best.set(sighting.key, sighting);
  }
  return best;
}

function rank({ asked, file, test }: Sighting): string {
  return [String(asked).padStart(4, "0"), relative(ROOT, file), test].join(" ");
}

function render(sightings: ReadonlyMap<string, Sighting>): string {
  const section = (title: string, rows: readonly Row[], routeSets: readonly string[]) => [
    `## ${title}`,
    "",
    "| Row | Succeeds in | Returns a problem in |",
    "| --- | --- | --- |",
    ...rows.map(({ method, path, operation }) => {
      const cell = (outcome: string) => {
        const found = routeSets.flatMap((set) => sightings.get(JSON.stringify([set, operation, outcome])) ?? []);
        const [first] = found.toSorted((one, other) => rank(one).localeCompare(rank(other)));
        return first === undefined ? "**none**" : `\`${relative(ROOT, first.file)}\` ${escapeCell(first.test)}`;
      };
      return `| \`${method} ${path}\` | ${cell("success")} | ${cell("problem")} |`;
    }),
    "",
  ];
  return [
    "# Route coverage",
    "",
    "The tests that cover each row of the specification. `npm run docs:routes` runs the service's tests, records their",
    "requests, and writes this page. Refusals of a missing key (401) aren't listed, because every row has them.",
    "",
    ...section(`Route set A (${ROUTES_A.length})`, ROUTES_A, ["a"]),
    ...section(`Route set B (${ROUTES_B.length})`, ROUTES_B, ["b"]),
    ...section(`Extensions (${EXTENSION_ROUTES.length})`, EXTENSION_ROUTES, ["a", "b"]),
  ].join("\n");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(/\s+/g, " ");
}
