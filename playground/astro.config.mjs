import react from "@astrojs/react";
import sitemap from "@astrojs/sitemap";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "http://127.0.0.1:4401",
  trailingSlash: "always",
  integrations: [react(), sitemap()],
  image: {
    layout: "constrained",
    responsiveStyles: true,
    breakpoints: [480, 960],
  },
  markdown: {
    shikiConfig: { themes: { light: "github-light", dark: "github-dark" } },
  },
});
