import { mapPool } from "../base/pool.ts";
import { foldSeparators } from "../contract/slug.ts";
import { findMarker } from "../html/marker.ts";
import { foreignPage, type ClassifyContext, type KnownPage, type SeeContext } from "./known-pages.ts";
import { rememberedPages } from "./list-pages.ts";
import { isCount } from "./own-records.ts";
import { readHtml } from "./seen.ts";

type MovedContext = Pick<SeeContext, "api" | "listed" | "state" | "locked"> & Pick<ClassifyContext, "wanted">;

type Remembered = ReturnType<typeof rememberedPages>;

/** Finds remembered pages that are listed under another slug, by their IDs: somebody changed it on the service. */
export async function findMoved(context: MovedContext): Promise<readonly KnownPage[]> {
  const remembered = rememberedPages(context);
  const found = listMoved(remembered, context);
  const isOurs = await mapPool(found, READS_AT_ONCE, (page) => mayBeOurs(page, { ...context, remembered }));
  return found.filter((_, place) => isOurs[place]);
}

const READS_AT_ONCE = 8;

// Somebody else's page may have the ID of ours by chance.
async function mayBeOurs(
  { slug, record, movedTo = slug }: KnownPage,
  { api, remembered, wanted }: Pick<MovedContext, "api" | "wanted"> & { readonly remembered: Remembered },
): Promise<boolean> {
  const titles = [remembered[slug]?.title, wanted.get(slug)?.title];
  if (!isCount(record.id ?? "") || record.title === undefined || titles.includes(record.title)) return true;
  const html = await readHtml(movedTo, api);
  return html === undefined || findMarker(html) !== undefined;
}

function listMoved(remembered: Remembered, { listed, wanted }: MovedContext): readonly KnownPage[] {
  const present = new Set(listed.map(({ slug }) => slug));
  const others = listed.filter(({ slug }) => remembered[slug] === undefined && !wanted.has(slug));
  const byId = new Map(others.flatMap((record) => (record.id === undefined ? [] : [[record.id, record]])));
  return Object.entries(remembered).flatMap(([slug, { id = "" }]): KnownPage[] => {
    const record = byId.get(id);
    const isMoved = record !== undefined && !present.has(slug) && foldSeparators(slug) !== foldSeparators(record.slug);
    if (!isMoved) return [];
    return [{ ...foreignPage(record), slug, origin: "ours", edited: true, movedTo: record.slug }];
  });
}
