import { file, glob } from "astro/loaders";
import { defineCollection } from "astro:content";
import { z } from "astro/zod";

const blog = defineCollection({
  loader: glob({ base: "./src/content/blog", pattern: "**/*.{md,mdx}" }),
  schema: ({ image }) =>
    z.object({
      title: z.string(),
      description: z.string().max(180),
      pubDate: z.coerce.date(),
      updatedDate: z.coerce.date().optional(),
      cover: image(),
      coverAlt: z.string(),
      tags: z.array(z.string()).min(1),
      draft: z.boolean().default(false),
      status: z.string().optional(),
    }),
});

const work = defineCollection({
  loader: file("./src/content/work.json"),
  schema: ({ image }) =>
    z.object({
      title: z.string(),
      kind: z.enum(["Print", "Stationery", "Book"]),
      year: z.number().int(),
      made: z.string(),
      alt: z.string(),
      image: image(),
    }),
});

export const collections = { blog, work };
