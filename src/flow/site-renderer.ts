import { createAstroRenderer } from "../site/posts/render-markdown.ts";
import type { RenderMarkdown } from "../site/posts/render-markdown.ts";

/**
 * The markdown renderer of a project outside a build: its Astro with the `markdown` of its config. It is loaded with the
 * first post, since that takes longer than all the rest of a run that has nothing to render.
 */
export function createSiteRenderer(root: string, markdown: Readonly<Record<string, unknown>> = {}): RenderMarkdown {
  let renderer: Promise<RenderMarkdown> | undefined;
  return async (text, place) => {
    renderer ??= createAstroRenderer(root, { markdown });
    return (await renderer)(text, place);
  };
}
