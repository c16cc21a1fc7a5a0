/** What visits are told apart by: the link that brought them, and what they were made with. */
export const VISIT_TRAITS = ["source", "medium", "campaign", "term", "content", "browser", "system", "device"] as const;

export type VisitTrait = (typeof VISIT_TRAITS)[number];

/** The pages that visits are told apart by. */
export const VISIT_PAGES = ["page", "entryPage", "exitPage"] as const;

export type VisitPage = (typeof VISIT_PAGES)[number];

/** What a list of visits is about, and what visits are filtered by. */
export const VISIT_FACETS = [...VISIT_TRAITS, ...VISIT_PAGES] as const;

export type VisitFacet = VisitTrait | VisitPage;
