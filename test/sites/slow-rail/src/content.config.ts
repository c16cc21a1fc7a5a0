import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const journeys = defineCollection({
  loader: glob({ base: "./src/content/journeys", pattern: "**/*.md" }),
  schema: ({ image }) =>
    z.object({
      title: z.string(),
      line: z.string(),
      country: z.string(),
      date: z.coerce.date(),
      picture: image(),
      pictureText: z.string(),
    }),
});

export const collections = { journeys };
