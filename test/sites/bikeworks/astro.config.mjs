import svelte from "@astrojs/svelte";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://bikeworks.example",
  base: "/club",
  trailingSlash: "never",
  build: {
    format: "file",
    assets: "built",
    // Another host that serves the built files. Without it the site serves them itself.
    assetsPrefix: process.env.BIKEWORKS_CDN,
    inlineStylesheets: "never",
  },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [svelte()],
  i18n: {
    locales: ["en", "fr"],
    defaultLocale: "en",
    fallback: { fr: "en" },
    routing: { fallbackType: "redirect" },
  },
  redirects: { "/join": "/club/membership" },
});
