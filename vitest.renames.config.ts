import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/renames/renames.test.ts"],
    // A publisher may wait a minute to find a post again, and nothing else happens in that history meanwhile.
    maxConcurrency: 20,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    // The table is the result: it is printed as it is.
    disableConsoleIntercept: true,
  },
});
