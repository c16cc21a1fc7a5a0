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
        const { index: words } = await createIndex();
        const [url, content] = ["/notes/heron/", "Kingcup: the marigold of marshes, where the heron stands."];
        await words.addCustomRecord({ url, content, language: "en", meta: { title: "A word" } });
        await words.writeFiles({ outputPath: fileURLToPath(new URL("words/pagefind/", dir)) });
      },
    },
  };
}

export default defineConfig({ site: "https://notes.example", integrations: [pagefind()] });
