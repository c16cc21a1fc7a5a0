import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://poly.example",
  trailingSlash: "never",
  build: { format: process.env.POLYGLOT_FORMAT ?? "file" },
  i18n: {
    locales: ["en", "fr"],
    defaultLocale: "en",
    routing: { prefixDefaultLocale: true, redirectToDefaultLocale: false },
  },
});
