import { defineConfig } from "astro/config";

export default defineConfig({ site: "https://tides.example", base: "/station/" });
