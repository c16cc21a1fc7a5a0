/** What a run is at before it sends anything and while it verifies what it sent, for people who wait. */
export interface Step {
  readonly kind: "read" | "pages" | "posts" | "brand-kit" | "service" | "images" | "verify" | "browser";
  /** How far it is, where that can be counted. */
  readonly count?: { readonly done: number; readonly total: number };
}

export type OnStep = (step: Step) => void;

const WORDS: Readonly<Record<Step["kind"], string>> = {
  read: "Reading the built site",
  pages: "Preparing pages",
  posts: "Reading the posts",
  "brand-kit": "Looking for colors, fonts and logos",
  service: "Looking at what the service has",
  images: "Making images smaller",
  verify: "Verifying",
  browser: "Opening pages in a browser",
};

/** A step in words: `Making images smaller, 12 of 198`. */
export function describeStep({ kind, count }: Step): string {
  return count === undefined ? WORDS[kind] : `${WORDS[kind]}, ${count.done} of ${count.total}`;
}
