import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://harbour.example",
  redirects: { "/start": "/guides/mooring/" },
  integrations: [
    starlight({
      title: "Harbour docs",
      defaultLocale: "root",
      locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch", lang: "de" } },
      sidebar: [{ label: "Guides", items: [{ autogenerate: { directory: "guides" } }] }],
    }),
  ],
});
