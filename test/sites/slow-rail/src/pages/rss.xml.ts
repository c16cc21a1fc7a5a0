import { getCollection } from "astro:content";
import rss from "@astrojs/rss";
import type { APIContext } from "astro";

export async function GET({ site }: APIContext) {
  const journeys = await getCollection("journeys");
  return rss({
    title: "Slow Rail",
    description: "Journeys by train for people who are not in a hurry.",
    site: site ?? "https://slow-rail.example",
    items: journeys.map(({ id, data }) => ({ title: data.title, pubDate: data.date, link: `/journeys/${id}/` })),
  });
}
