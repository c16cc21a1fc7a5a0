import { defineConfig } from "vitest/config";
import { createTableReporter } from "./table.ts";
import { WORLDS } from "./worlds.ts";

// Each file runs once for each world, as tasks that the workers share.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    reporters: ["default", createTableReporter(WORLDS.map(({ name }) => name))],
    // More than cores, since some rows wait for silences.
    maxWorkers: 4,
    projects: WORLDS.map((world) => ({
      test: {
        name: world.name,
        include: ["test/faults/**/*.faults.ts"],
        provide: { world },
        testTimeout: 3_600_000,
        hookTimeout: 120_000,
      },
    })),
  },
});
