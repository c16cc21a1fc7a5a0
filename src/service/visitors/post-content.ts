import { escapeHtml } from "../escape-html.ts";
import type { Post } from "../store/posts.ts";

// HTML is what the owner of the blog sent and is shown as it is. Markdown is shown as text.
/** HTML of a post's body. */
export function renderContent({ html, markdown }: Post): string {
  return html ?? `<pre class="text">${escapeHtml(markdown)}</pre>`;
}
