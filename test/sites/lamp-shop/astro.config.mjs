import preact from "@astrojs/preact";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://lamps.example",
  integrations: [preact()],
  redirects: {
    "/basket": "/cart/",
    "/lamps/[id]": "/product/[id]",
    "/press-kit": { status: 302, destination: "https://elsewhere.example/press/" },
  },
});
