import mdx from "@astrojs/mdx";
import preact from "@astrojs/preact";
import react from "@astrojs/react";
import solid from "@astrojs/solid-js";
import svelte from "@astrojs/svelte";
import vue from "@astrojs/vue";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://seeds.example",
  build: { format: "preserve" },
  integrations: [
    react({ include: ["**/react/**"] }),
    preact({ include: ["**/preact/**"] }),
    solid({ include: ["**/solid/**"] }),
    svelte(),
    vue(),
    mdx(),
  ],
});
