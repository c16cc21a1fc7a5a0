import rss from "@astrojs/rss";
import type { APIRoute } from "astro";
import { getPosts } from "../posts.ts";
import { studio } from "../site.ts";

export const GET: APIRoute = async ({ site }) =>
  rss({
    title: `Notes from ${studio.name}`,
    description: studio.description,
    site: site!,
    customData: "<language>en-gb</language>",
    items: (await getPosts()).map(({ id, data }) => ({
      title: data.title,
      description: data.description,
      pubDate: data.pubDate,
      categories: data.tags,
      link: `/blog/${id}/`,
    })),
  });
