import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { findMarker } from "../html/marker.ts";
import { parseAssetName } from "./asset-name.ts";
import { isAreaRefusal } from "../base/outcome.ts";

/** What one project has on an account. */
export interface AccountProject {
  /** Id of the project; `undefined`: imprint did not publish it, or the service does not show who did. */
  readonly project: string | undefined;
  /** Slugs of its pages. */
  readonly pages: readonly string[];
  /** How many files it uploaded. */
  readonly files: number;
}

const READS_AT_ONCE = 8;

/** The projects that have published to an account, by the markers in their pages and the names of their files. */
export async function listProjects(api: ImprintApi, signal?: AbortSignal): Promise<readonly AccountProject[]> {
  const [pages, assets] = await Promise.all([api.pages.list({}, { signal }), api.assets.list({}, { signal })]);
  const owners = await mapPool(pages.items, READS_AT_ONCE, async (page) => [await ownerOf(page, api), page] as const);
  const pagesBy = Map.groupBy(owners, ([project]) => project);
  const filesBy = Map.groupBy(assets.items, ({ name = "" }) => parseAssetName(name)?.project);
  const projects = [...new Set([...pagesBy.keys(), ...filesBy.keys()])];
  return projects
    .map((project) => ({
      project,
      pages: (pagesBy.get(project) ?? []).map(([, { slug }]) => slug).toSorted(),
      files: filesBy.get(project)?.length ?? 0,
    }))
    .toSorted((one, other) => Number(one.project === undefined) - Number(other.project === undefined));
}

async function ownerOf({ slug }: Page, api: ImprintApi): Promise<string | undefined> {
  try {
    const html = await api.pages.readHtml(slug);
    return html === undefined ? undefined : findMarker(html)?.project;
  } catch (error) {
    if (isAreaRefusal(error)) return undefined;
    throw error;
  }
}
