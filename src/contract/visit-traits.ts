export const VISIT_TRAITS = ["source", "medium", "campaign", "term", "content", "browser", "system", "device"] as const;

export type VisitTrait = (typeof VISIT_TRAITS)[number];

/** What visits reached: pages, and submitted forms. */
export const VISIT_PLACES = ["page", "entryPage", "exitPage", "goal"] as const;

export type VisitPlace = (typeof VISIT_PLACES)[number];

/** What visits are grouped and filtered by. */
export const VISIT_FACETS = [...VISIT_TRAITS, ...VISIT_PLACES] as const;

export type VisitFacet = VisitTrait | VisitPlace;
