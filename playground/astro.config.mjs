import mdx from "@astrojs/mdx";
import react from "@astrojs/react";
import sitemap from "@astrojs/sitemap";
import imprint from "astro-imprint";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "http://127.0.0.1:4401",
  trailingSlash: "always",
  integrations: [
    mdx(),
    react(),
    sitemap(),
    imprint({
      // Uses astro-imprint-service unless another service is set: IMPRINT_SERVICE=https://…
      service: process.env.IMPRINT_SERVICE ?? "embedded",
      site: { name: "Tern & Quire" },
      posts: { blog: { name: "Notes from the loft", create: true } },
      // Astro optimized almost all of them; the others are 1 % of the bytes, and half of the time of a first build.
      images: { optimize: false },
    }),
  ],
  image: {
    // `npm test` encodes all images of a fresh clone.
    service: { entrypoint: "astro/assets/services/sharp", config: { webp: { effort: 0 } } },
    layout: "constrained",
    responsiveStyles: true,
    breakpoints: [960],
  },
  markdown: {
    shikiConfig: { themes: { light: "github-light", dark: "github-dark" } },
  },
});
