import react from "@astrojs/react";
import sitemap from "@astrojs/sitemap";
import svelte from "@astrojs/svelte";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://slow-rail.example",
  trailingSlash: "always",
  prefetch: { defaultStrategy: "hover" },
  integrations: [react(), svelte(), sitemap()],
});
