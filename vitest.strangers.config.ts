import { defineConfig } from "vitest/config";

// A seed asks for the sample; without one every dialect goes through every history.
const isSample = process.env["IMPRINT_STRANGERS"] !== undefined;

export default defineConfig({
  test: {
    include: [isSample ? "test/strangers/sample.test.ts" : "test/strangers/strangers.test.ts"],
    maxConcurrency: 6,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    // The table is the result: it is printed as it is.
    disableConsoleIntercept: true,
  },
});
