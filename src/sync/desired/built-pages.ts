import { isPublished, readBuiltSite } from "../../site/read-site.ts";

/** How many pages of a built site would be published. Throws as a run does when there is none to publish. */
export async function countBuiltPages(dist: string): Promise<number> {
  const { pages } = await readBuiltSite(dist);
  return pages.filter((page) => isPublished(page)).length;
}
