import { pluralize } from "../../base/pluralize.ts";
import { sha256 } from "../../base/hash.ts";
import type { ReleaseSmallBody, ReleaseStaged } from "../../contract/operations/releases.ts";
import { ProblemError } from "../http/problem.ts";
import { findLiveRelease, lineOf, type Release } from "../store/releases.ts";
import { findRow } from "../store/rows.ts";
import type { Context } from "./context.ts";
import { getOpenRelease, publishRelease } from "./publish-release.ts";
import { storeContent } from "./release-content.ts";
import { stagePages } from "./release-pages.ts";

interface PublishedSmall extends Pick<ReleaseStaged, "pages"> {
  readonly release: Release;
}

interface Publisher {
  readonly author: string | null;
  /** Opens a release with the same parent, and returns its ID. */
  readonly open: () => Promise<string>;
}

/**
 * Opens, fills and publishes a release without new files. Throws `release_incomplete` if content is missing or another
 * site has one of the slugs; `release_outdated` if its parent isn't the live release.
 */
export async function publishSmallRelease(
  context: Context,
  { siteId, parent, pages, removes, html, manifest }: ReleaseSmallBody,
  { author, open }: Publisher,
): Promise<PublishedSmall> {
  const { database, accountId } = context;
  const live = await findLiveRelease(database, { accountId, line: lineOf({ siteId }) });
  // The response to the first request was lost.
  if (live?.parent === parent && live.manifest === manifest) {
    const slugs = [...pages, ...removes].map((page) => (typeof page === "string" ? page : page.slug));
    return await findPublished(context, live, slugs);
  }
  const release = await getOpenRelease(context, await open());
  const entries = html.map((text) => Buffer.from(text)).map((bytes) => ({ name: sha256(bytes), bytes }));
  await storeContent(context, release, { entries, types: "images" });
  const staged = await stagePages(context, release, { pages, removes });
  const { missing, collisions } = staged;
  if (missing.length + collisions.length > 0) {
    throw new ProblemError("release_incomplete", {
      detail: `The content of ${pluralize(missing.length, "hash", "hashes")} is missing, and other sites have ${pluralize(collisions.length, "slug")}.`,
      members: { missing, collisions },
    });
  }
  const published = await publishRelease(context, release.id, { manifest, force: false, author });
  return { release: published, pages: staged.pages };
}

async function findPublished(
  { database }: Context,
  release: Release,
  slugs: readonly string[],
): Promise<PublishedSmall> {
  const pages: { slug: string; id: string; version: number }[] = [];
  for (const slug of slugs) {
    const row = await findRow(database, "releasePage", { releaseId: release.id, slug });
    if (row !== undefined) pages.push({ slug, id: row.pageId, version: row.version });
  }
  return { release, pages };
}
