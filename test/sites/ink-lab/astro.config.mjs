import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://ink.example",
  // Read by the suite, which builds the lab once with workers as scripts and once with workers as modules.
  vite: { worker: { format: process.env.INK_WORKERS === "es" ? "es" : "iife" } },
});
