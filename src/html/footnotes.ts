// Footnotes have the same ids in every Markdown text, and a heading that a style sheet hides. A post stands on a page
// with other ids and without that style sheet. The publisher and the service both take this from here, so that a post
// has the same HTML whichever of the two renders it.

const FOOTNOTE_ID = /^(?:user-content-fn|footnote-label$)/;

/** Whether an id is one that Markdown gives to footnotes, their references or their heading. */
export function isFootnoteId(id: string): boolean {
  return FOOTNOTE_ID.test(id);
}

/** Inline style of what only screen readers get. */
export const VISUALLY_HIDDEN =
  "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
