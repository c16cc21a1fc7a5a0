import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://ink.example",
  // Read by the suite, which builds the lab with workers as scripts, with workers as modules, and with relative assets.
  build: process.env.INK_RELATIVE ? { assetsPrefix: ".", format: "file" } : {},
  vite: { worker: { format: process.env.INK_WORKERS === "es" ? "es" : "iife" } },
});
