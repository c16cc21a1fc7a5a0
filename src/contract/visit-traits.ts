/** What visits are told apart by: the link that brought them, and what they were made with. */
export const VISIT_TRAITS = ["source", "medium", "campaign", "term", "content", "browser", "system", "device"] as const;

export type VisitTrait = (typeof VISIT_TRAITS)[number];

/** What visits came to: pages, and forms that were sent. */
export const VISIT_PLACES = ["page", "entryPage", "exitPage", "goal"] as const;

export type VisitPlace = (typeof VISIT_PLACES)[number];

/** What a list of visits is about, and what visits are filtered by. */
export const VISIT_FACETS = [...VISIT_TRAITS, ...VISIT_PLACES] as const;

export type VisitFacet = VisitTrait | VisitPlace;
