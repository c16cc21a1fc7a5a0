import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vitest/node";
import { defineConfig } from "vitest/config";

// The commands, builds and services that tests start find their modules compiled.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

/** The suites beside `npm test`, by the name that `vitest run --mode <name>` takes. */
const SUITES: Readonly<Record<string, () => InlineConfig | Promise<InlineConfig>>> = {
  test: () => ({
    ...IN_SHARED_WORKERS,
    include: ["test/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "test/sites/**",
      "test/fidelity/**",
      "test/posts-world/**",
      "test/postgres/**",
      // All of it takes minutes; a sample runs here.
      "test/strangers/strangers.test.ts",
      "test/renames/renames.test.ts",
      // In the strangers' suite.
      "test/flow/published/killed-beside.test.ts",
    ],
  }),
  // What `npm test` takes a sample of, or leaves out.
  whole: () => ({ ...IN_SHARED_WORKERS, include: listSampled(), env: { IMPRINT_WHOLE: "all" } }),
  fidelity: () => ({
    include: ["test/fidelity/**/*.test.ts"],
    // A site is built, published twice and opened page by page in one hook.
    hookTimeout: 600_000,
    testTimeout: 120_000,
  }),
  // `npm test` takes a sample of the sites into the browser: all of them take minutes.
  brand: () => ({
    include: ["test/brand/**/*.test.ts", "test/service/look/**/*.test.ts"],
    env: { IMPRINT_SITES: process.env["IMPRINT_SITES"] ?? "all" },
    testTimeout: 1_200_000,
  }),
  posts: () => ({ ...TABLES, include: ["test/posts-world/**/*.test.ts"], testTimeout: 600_000 }),
  renames: () => ({
    ...TABLES,
    include: ["test/renames/renames.test.ts"],
    // A publisher may wait a minute to find a post again, and nothing else happens in that history meanwhile.
    maxConcurrency: 20,
  }),
  strangers: () => ({
    ...TABLES,
    // A seed asks for the sample; without one every dialect goes through every history.
    include: [
      process.env["IMPRINT_STRANGERS"] === undefined
        ? "test/strangers/strangers.test.ts"
        : "test/strangers/sample.test.ts",
      "test/flow/published/preview-slugs.test.ts",
      "test/flow/published/killed-beside.test.ts",
    ],
    env: { IMPRINT_HOSTS: "all" },
    maxConcurrency: 6,
  }),
  async faults() {
    const { createTableReporter } = await import("./test/faults/table.ts");
    const { WORLDS } = await import("./test/faults/worlds.ts");
    return {
      reporters: ["default", createTableReporter(WORLDS.map(({ name }) => name))],
      // More than cores, since some rows wait for silences.
      maxWorkers: 4,
      // Each file runs once for each world, as tasks that the workers share.
      projects: WORLDS.map((world) => ({
        test: {
          name: world.name,
          include: ["test/faults/**/*.faults.ts"],
          provide: { world },
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
        },
      })),
    };
  },
  async postgres() {
    const { findPostgres } = await import("./test/postgres/start-postgres.ts");
    const hasPostgres = (await findPostgres()) !== undefined;
    // oxlint-disable-next-line no-console -- Nothing to run has to be told apart from nothing that failed.
    if (!hasPostgres) console.log("SKIPPED: there is no PostgreSQL here. On Debian: apt-get install postgresql");
    return {
      include: hasPostgres
        ? ["test/postgres/**/*.test.ts", "test/service/**/*.test.ts", "test/client/service.test.ts"]
        : [],
      // They look at the files of SQLite; test/postgres/ has counterparts of most.
      exclude: [
        "test/service/store/{open-store,grouped-writes,readers,released-schemas}.test.ts",
        "test/service/{crash,webhooks/crash.whole,other-account,shutdown}.test.ts",
        "test/service/archive/**",
        "test/service/jobs/retention.test.ts",
        "test/service/logs/request-log.test.ts",
      ],
      passWithNoTests: !hasPostgres,
      globalSetup: "test/postgres/global-setup.ts",
    };
  },
};

const IN_SHARED_WORKERS = {
  // Starting a worker for each file took half of the processor time.
  isolate: false,
  globalSetup: "test/temporary-files.ts",
  // More than cores: a third of the time of a worker is waiting for builds, services and the browser.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Other workers use all cores: helper threads of the garbage collector took an eighth of the processor time. With room
  // for young objects, it runs less often, which saves another tenth.
  execArgv: ["--single-threaded-gc", "--min-semi-space-size=32", "--max-semi-space-size=64"],
} as const satisfies InlineConfig;

/** Files of which `npm test` runs nothing, named for that, or a sample: those import `test/whole.ts`. */
function listSampled(): string[] {
  const files = globSync("test/**/*.test.ts", { exclude: ["**/node_modules/**", "test/sites/**"] });
  return files.filter((file) => file.endsWith(".whole.test.ts") || readFileSync(file, "utf8").includes('/whole.ts"'));
}

/** The table of such a suite is its result: it is printed as it is. */
const TABLES = { testTimeout: 3_600_000, disableConsoleIntercept: true } as const satisfies InlineConfig;

const SWITCHED_SERVICE = fileURLToPath(new URL("test/postgres/switched-service.ts", import.meta.url));
const LASTING_PROCESS = fileURLToPath(new URL("test/site/images/lasting-process.ts", import.meta.url));

// The suites of the service run as they are; what they open keeps its data in PostgreSQL and S3.
const ON_POSTGRES = {
  name: "services-on-postgres",
  enforce: "pre",
  resolveId(source: string, importer = "") {
    const isOfTest = importer.includes("/test/") && importer !== SWITCHED_SERVICE;
    return isOfTest && source.endsWith("/src/service.ts") ? SWITCHED_SERVICE : undefined;
  },
} as const;

const WITH_LASTING_PROCESS = {
  name: "lasting-process-of-images",
  enforce: "pre",
  resolveId: (source: string, importer = "") =>
    importer.endsWith("/src/site/images/optimize-image.ts") && source === "./shrink-process.ts"
      ? LASTING_PROCESS
      : undefined,
} as const;

export default defineConfig(async ({ mode }) => {
  // knip reads this file in Vite's own modes.
  const suite = SUITES[mode === "development" || mode === "production" ? "test" : mode];
  if (suite === undefined) throw new Error(`There is no suite "${mode}": ${Object.keys(SUITES).join(", ")}.`);
  return {
    plugins: [mode === "postgres" ? ON_POSTGRES : WITH_LASTING_PROCESS],
    test: {
      // Real builds, a real service and a real browser run in these tests.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // What is waited for comes late on a busy machine.
      expect: { poll: { timeout: 20_000 } },
      ...(await suite()),
    },
  };
});
