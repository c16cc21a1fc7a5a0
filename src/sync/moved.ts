import { foldSeparators } from "../contract/slug.ts";
import { foreignPage, type ClassifyContext, type KnownPage, type SeeContext } from "./known-pages.ts";
import { rememberedPages } from "./list-pages.ts";

type MovedContext = Pick<SeeContext, "listed" | "state" | "locked"> & Pick<ClassifyContext, "wanted">;

/** Finds remembered pages that are listed under another slug, by their IDs: somebody changed it on the service. */
export function findMoved({ listed, state, locked, wanted }: MovedContext): readonly KnownPage[] {
  const remembered = rememberedPages({ state, locked });
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
