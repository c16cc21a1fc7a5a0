import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/posts-world/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // The tables are the result: they are printed as they are.
    disableConsoleIntercept: true,
  },
});
