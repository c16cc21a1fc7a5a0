/** What a browser sends for a form. */
export interface SentForm {
  /** Slug of the page that it was sent to. */
  readonly slug: string;
  readonly entries: readonly SentEntry[];
}

export type SentEntry = readonly [name: string, value: string];
