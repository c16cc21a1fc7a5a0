import preact from "@astrojs/preact";
import { defineConfig, fontProviders } from "astro/config";

const literata = "../../../node_modules/@fontsource/literata/files";

export default defineConfig({
  site: "https://architects.example",
  base: "/brenner-holt",
  trailingSlash: "always",
  integrations: [preact()],
  i18n: {
    locales: ["en", "de", "it"],
    defaultLocale: "en",
    fallback: { de: "en", it: "en" },
    routing: { fallbackType: "rewrite" },
  },
  redirects: {
    "/work": "/brenner-holt/projects/",
    "/boathouse": { status: 301, destination: "/brenner-holt/projects/boathouse/" },
    "/map": "https://www.openstreetmap.org/",
  },
  fonts: [
    {
      provider: fontProviders.local(),
      name: "Literata",
      cssVariable: "--font-text",
      fallbacks: ["DejaVu Serif", "serif"],
      options: {
        variants: [
          {
            weight: 400,
            style: "normal",
            src: [`${literata}/literata-latin-400-normal.woff2`, `${literata}/literata-latin-400-normal.woff`],
          },
          { weight: 700, style: "normal", src: [`${literata}/literata-latin-700-normal.woff2`] },
        ],
      },
    },
  ],
});
