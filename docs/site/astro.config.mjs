import { fileURLToPath } from "node:url";
import starlight from "@astrojs/starlight";
import imprint from "../../dist/index.js";
import { defineConfig } from "astro/config";
import { renderSidebar } from "./src/sidebar.ts";

export default defineConfig({
  // Pages and pictures lie above this folder.
  vite: { server: { fs: { allow: [fileURLToPath(new URL("../..", import.meta.url))] } } },
  integrations: [
    starlight({
      title: "astro-imprint",
      description: "Publish an Astro site after every build, to a service that you run yourself or have an account at.",
      logo: { src: "./src/logo.svg" },
      favicon: "/favicon.svg",
      sidebar: renderSidebar(),
      customCss: ["./src/styles.css"],
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      pagination: true,
    }),
    // `npm run build` builds only; IMPRINT_SERVICE or `imprint publish` names where to publish.
    imprint({ site: { name: "astro-imprint" }, publish: process.env["IMPRINT_SERVICE"] !== undefined }),
  ],
});
