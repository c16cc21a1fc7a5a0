import type { ImprintApi, Page } from "../../client/api.ts";
import { patternOf, publishedAddress } from "../../client/published-address.ts";
import { findPreviewName, previewSlug } from "../preview-name.ts";

/** A preview as the list of pages shows it. */
export interface Preview {
  readonly name: string;
  readonly pages: readonly Page[];
  /** When a page of it was last sent; `undefined` where the service shows no times. */
  readonly updatedAt: Date | undefined;
  /** Address of its home page; `undefined` where the service does not say where it shows pages. */
  readonly url: string | undefined;
}

export interface PreviewsContext {
  /** Slug of the home page of the live site. */
  readonly homeSlug: string;
  /** Address of published pages before `/p/`, when it is known. */
  readonly pagesUrl: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The previews at a service, the newest first. They are known by the slugs of their pages; nothing else is asked. */
export async function listPreviews(api: ImprintApi, context: PreviewsContext): Promise<readonly Preview[]> {
  const { items } = await api.pages.list({}, { signal: context.signal });
  const groups = Map.groupBy(items, ({ slug }) => findPreviewName(slug));
  const pagesAt = context.pagesUrl === undefined ? api.capabilities.pagesAt : patternOf(context.pagesUrl);
  return [...groups]
    .flatMap(([name, pages]) => (name === undefined ? [] : [describe(name, pages, { ...context, pagesAt })]))
    .toSorted((one, other) => timeOf(other) - timeOf(one) || (one.name < other.name ? -1 : 1));
}

interface DescribeContext extends Pick<PreviewsContext, "homeSlug"> {
  /** Address of published pages, with `{slug}` for the slug. */
  readonly pagesAt: string | undefined;
}

function describe(name: string, pages: readonly Page[], { homeSlug, pagesAt }: DescribeContext): Preview {
  const sorted = pages.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  const home = sorted.find(({ slug }) => slug === previewSlug(name, homeSlug)) ?? sorted[0];
  const times = pages.flatMap(({ updatedAt, createdAt }) => updatedAt ?? createdAt ?? []);
  const ownUrl = pagesAt === undefined || home === undefined ? undefined : publishedAddress(pagesAt, home.slug);
  return {
    name,
    pages: sorted,
    updatedAt: times.toSorted((one, other) => other.getTime() - one.getTime())[0],
    url: home?.publicUrl ?? ownUrl,
  };
}

function timeOf({ updatedAt }: Preview): number {
  return updatedAt?.getTime() ?? 0;
}
