import react from "@astrojs/react";
import svelte from "@astrojs/svelte";
import { defineConfig, fontProviders } from "astro/config";

export default defineConfig({
  site: "https://credit-union.example",
  security: {
    csp: {
      algorithm: "SHA-384",
      directives: ["default-src 'self'", "img-src 'self' data:", "form-action 'self'"],
    },
  },
  // Solid is not here: Astro 7.3 writes its hydration script without a hash, so that it fails under any policy.
  integrations: [react(), svelte()],
  fonts: [
    {
      provider: fontProviders.local(),
      name: "Literata",
      cssVariable: "--font-heading",
      fallbacks: ["serif"],
      options: {
        variants: [
          {
            weight: 700,
            style: "normal",
            src: ["../../../node_modules/@fontsource/literata/files/literata-latin-700-normal.woff2"],
          },
        ],
      },
    },
  ],
});
