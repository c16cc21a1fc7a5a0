import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/faults/**/*.faults.ts"],
    // One line for each world instead of hundreds of dots: the matrix itself is printed by the tests.
    reporters: ["verbose"],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
