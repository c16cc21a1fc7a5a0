import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { findPostgres } from "./test/postgres/start-postgres.ts";

const hasPostgres = (await findPostgres()) !== undefined;
// oxlint-disable-next-line no-console -- Nothing to run has to be told apart from nothing that failed.
if (!hasPostgres) console.log("SKIPPED: there is no PostgreSQL here. On Debian: apt-get install postgresql");

const switched = fileURLToPath(new URL("test/postgres/switched-service.ts", import.meta.url));

export default defineConfig({
  plugins: [
    {
      // The suites of the service run as they are; what they open keeps its data in PostgreSQL and S3.
      name: "services-on-postgres",
      enforce: "pre",
      resolveId(source, importer = "") {
        const isOfTest = importer.includes("/test/") && importer !== switched;
        return isOfTest && source.endsWith("/src/service.ts") ? switched : undefined;
      },
    },
  ],
  test: {
    include: hasPostgres
      ? ["test/postgres/**/*.test.ts", "test/service/**/*.test.ts", "test/client/service.test.ts"]
      : [],
    // They look at the files of SQLite; test/postgres/ has counterparts of most.
    exclude: [
      "test/service/store/{open-store,grouped-writes,released-schemas}.test.ts",
      "test/service/{crash,webhooks/crash,other-account,shutdown}.test.ts",
      "test/service/archive/**",
      "test/service/jobs/retention.test.ts",
      "test/service/logs/request-log.test.ts",
    ],
    passWithNoTests: !hasPostgres,
    globalSetup: "test/postgres/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
