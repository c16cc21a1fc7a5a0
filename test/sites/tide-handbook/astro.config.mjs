import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://tidewright.example",
  base: "/handbook",
  integrations: [
    starlight({ title: "Tide handbook", sidebar: ["index", "springs"], tableOfContents: false }),
  ],
});
