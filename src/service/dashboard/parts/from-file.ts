import { POST_MARKER } from "../../../contract/post-marker.ts";

/** Returns a note on a post that a project publishes from a Markdown file. */
export function noteOnFile({ html }: { readonly html: string | null }): string | undefined {
  return html?.includes(` ${POST_MARKER}=`) === true ? EDIT_FILE : undefined;
}

const EDIT_FILE =
  "A project publishes this post from a Markdown file. Edit that file instead, or copy what you change here into it: otherwise, the project can't publish its next edit.";
