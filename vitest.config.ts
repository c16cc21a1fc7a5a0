import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      ...["**/node_modules/**", "test/sites/**", "test/fidelity/**", "test/posts-world/**", "test/postgres/**"],
      // All of it takes minutes; a sample runs here.
      ...["test/strangers/strangers.test.ts", "test/renames/renames.test.ts"],
    ],
    // Real builds, a real service and a real browser run in these tests.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
