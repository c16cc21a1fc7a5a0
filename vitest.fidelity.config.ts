import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/fidelity/**/*.test.ts"],
    // A site is built, published twice and opened page by page in one hook.
    hookTimeout: 600_000,
    testTimeout: 120_000,
  },
});
