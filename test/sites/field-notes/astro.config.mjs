import { fileURLToPath } from "node:url";
import { defineConfig } from "astro/config";
import { createIndex } from "pagefind";

/** What astro-pagefind does, and `"postbuild": "pagefind --site dist"` of many themes. */
function pagefind() {
  return {
    name: "pagefind",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const { index } = await createIndex();
        await index.addDirectory({ path: fileURLToPath(dir) });
        await index.writeFiles({ outputPath: fileURLToPath(new URL("pagefind/", dir)) });
      },
    },
  };
}

export default defineConfig({ site: "https://notes.example", integrations: [pagefind()] });
