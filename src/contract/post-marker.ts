/** Attribute of the hidden element that marks a post as published from a project's file. */
export const POST_MARKER = "data-imprint-post";
