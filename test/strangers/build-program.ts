// Builds each site that it is sent, because most of the time of a single build is that of loading Astro.
import { build } from "astro";

process.on("message", async (root: string) => {
  await build({ root, logLevel: "error" });
  process.send?.("built");
});
