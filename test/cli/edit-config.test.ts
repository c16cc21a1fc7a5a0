import { expect, test } from "vitest";
import { addIntegration } from "../../src/cli/init/edit-config.ts";

const IMPORT = 'import { defineConfig } from "astro/config";\n';

test.each([
  [
    "a comment behind the last entry",
    "[\n    mdx(), // keep me\n  ]",
    "[\n    mdx(), // keep me\n    imprint({}),\n  ]",
  ],
  ["one without a comma", "[\n    mdx() // keep me\n  ]", "[\n    mdx(), // keep me\n    imprint({}),\n  ]"],
  ["only a comment", "[\n    // mdx(),\n  ]", "[imprint({}),\n    // mdx(),\n  ]"],
  ["a line per entry", "[\n    mdx(),\n    react()\n  ]", "[\n    mdx(),\n    react(),\n    imprint({}),\n  ]"],
  ["one line", "[mdx(), react()]", "[mdx(), react(), imprint({})]"],
  ["nothing", "[]", "[imprint({})]"],
])("init adds imprint() to a list of integrations with %s", async (_, before, after) => {
  const config = (list: string) => `export default defineConfig({\n  integrations: ${list},\n});\n`;
  expect(await addIntegration(IMPORT + config(before), "{}")).toBe(
    `${IMPORT}import imprint from "astro-imprint";\n${config(after)}`,
  );
});
