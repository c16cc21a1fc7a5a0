import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

export const collections = {
  notices: defineCollection({
    loader: glob({ base: "./src/content/notices", pattern: "*.md" }),
    schema: z.object({ title: z.string(), date: z.coerce.date() }),
  }),
};
