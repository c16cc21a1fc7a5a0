import { fileURLToPath } from "node:url";
import starlight from "@astrojs/starlight";
import imprint from "../../dist/index.js";
import { defineConfig } from "astro/config";
import { renderSidebar } from "./src/sidebar.ts";

export default defineConfig({
  // Pages and pictures are outside this folder.
  vite: { server: { fs: { allow: [fileURLToPath(new URL("../..", import.meta.url))] } } },
  integrations: [
    starlight({
      title: "astro-imprint",
      description: "Publish an Astro site after every build, to a hosted service or your own.",
      logo: { src: "./src/logo.svg" },
      favicon: "/favicon.svg",
      sidebar: renderSidebar(),
      customCss: ["./src/styles.css"],
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      pagination: true,
    }),
    // `npm run build` only builds, unless IMPRINT_SERVICE names a service.
    imprint({ site: { name: "astro-imprint" }, publish: process.env["IMPRINT_SERVICE"] !== undefined }),
  ],
});
