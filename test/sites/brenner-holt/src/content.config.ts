import { defineCollection } from "astro:content";
import { file } from "astro/loaders";
import { z } from "astro/zod";

const projects = defineCollection({
  loader: file("src/content/projects.json"),
  schema: ({ image }) =>
    z.object({ name: z.string(), place: z.string(), year: z.number(), area: z.number(), picture: image() }),
});

export const collections = { projects };
