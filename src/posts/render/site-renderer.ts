import { createAstroRenderer, type AstroMarkdownConfig, type RenderMarkdown } from "./render-markdown.ts";
import { describeRenderer } from "./renderer-key.ts";

/**
 * The markdown renderer of a project: its Astro with the `markdown` and `image` of its config. It is loaded with the
 * first post, since that takes longer than all the rest of a run that has nothing to render.
 */
export function createSiteRenderer(
  root: string,
  markdown: AstroMarkdownConfig["markdown"] = {},
  image?: unknown,
): RenderMarkdown {
  const config = { markdown, image };
  let renderer: Promise<RenderMarkdown> | undefined;
  async function render(...[text, place]: Parameters<RenderMarkdown>) {
    renderer ??= createAstroRenderer(root, config);
    return (await renderer)(text, place);
  }
  return Object.assign(render, { key: describeRenderer(root, config) });
}
