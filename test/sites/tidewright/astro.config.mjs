import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://tidewright.example",
  redirects: { "/start": "/guides/first-table/" },
  integrations: [
    starlight({
      title: "Tidewright",
      logo: { src: "./src/assets/tide-clock.png" },
      favicon: "/favicon.svg",
      // The search of Starlight loads its index from a folder of the site: see the site `tide-handbook`.
      pagefind: false,
      defaultLocale: "root",
      locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch" }, ja: { label: "日本語" } },
      social: [{ icon: "github", label: "GitHub", href: "https://github.com/" }],
      sidebar: [
        { label: "Guides", translations: { de: "Anleitungen", ja: "ガイド" }, items: [{ autogenerate: { directory: "guides" } }] },
        { label: "Reference", translations: { de: "Referenz" }, items: [{ autogenerate: { directory: "reference" } }], collapsed: true },
      ],
      customCss: ["@fontsource/literata/400.css", "./src/styles/tide.css"],
      lastUpdated: false,
      editLink: { baseUrl: "https://github.com/tidewright/docs/edit/main/" },
    }),
  ],
});
