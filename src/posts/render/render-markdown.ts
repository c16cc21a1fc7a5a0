import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ImprintError } from "../../base/error.ts";

/** Where a markdown text comes from. */
interface MarkdownContext {
  /** Absolute path of the file. */
  readonly file: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/** Markdown to HTML. Images of the site may be left as Astro's `__ASTRO_IMAGE_` placeholders. */
export interface RenderMarkdown {
  (markdown: string, context: MarkdownContext): Promise<{ readonly html: string }>;
  /** Stands for everything but the text that decides the HTML; absent where that can't be told. */
  readonly key?: string | undefined;
}

/** What is needed of the config that an integration gets in `astro:config:done`. */
export interface AstroMarkdownConfig {
  readonly markdown: {
    readonly processor?: MarkdownProcessor | undefined;
    readonly syntaxHighlight?: unknown;
    readonly shikiConfig?: unknown;
    readonly gfm?: unknown;
    readonly smartypants?: unknown;
    readonly remarkPlugins?: unknown;
    readonly rehypePlugins?: unknown;
    readonly remarkRehype?: unknown;
  };
  readonly image?: unknown;
}

// Astro's own types would make every user of ours install Astro.
interface MarkdownProcessor {
  createRenderer(shared: object): Promise<AstroRenderer>;
}

interface AstroRenderer {
  render(
    content: string,
    options: { readonly fileURL: URL; readonly frontmatter: Record<string, unknown> },
  ): Promise<{ readonly code: string }>;
}

/**
 * Renders as the site does: with the processor, the plugins and the highlighting of its Astro config. Without a
 * config, and for Astro 6 whose config holds no processor, with the processor of the Astro that `root` has installed.
 * Throws `OPTIONS_INVALID` when there is none.
 */
export async function createAstroRenderer(root: string, config?: AstroMarkdownConfig): Promise<RenderMarkdown> {
  const shared = { ...config?.markdown, image: config?.image };
  const processor = config?.markdown.processor;
  const renderer = await (processor === undefined
    ? createInstalledRenderer(root, shared)
    : processor.createRenderer(shared));
  return async (markdown, { file, frontmatter }) => {
    const { code } = await renderer.render(markdown, { fileURL: pathToFileURL(file), frontmatter: { ...frontmatter } });
    return { html: code };
  };
}

const PROCESSORS = [
  { name: "@astrojs/markdown-satteri", factory: "createSatteriMarkdownProcessor" },
  { name: "@astrojs/markdown-remark", factory: "createMarkdownProcessor" },
] as const;

async function createInstalledRenderer(root: string, settings: object): Promise<AstroRenderer> {
  for (const base of [join(root, "package.json"), import.meta.url]) {
    const astro = resolveFrom(createRequire(base), "astro/package.json");
    if (astro === undefined) continue;
    for (const { name, factory } of PROCESSORS) {
      const path = resolveFrom(createRequire(astro), name);
      if (path === undefined) continue;
      const exported: unknown = await import(pathToFileURL(path).href);
      const create = typeof exported === "object" && exported !== null ? Reflect.get(exported, factory) : undefined;
      if (typeof create === "function") return await create(settings);
    }
  }
  throw new ImprintError(
    "OPTIONS_INVALID",
    `Posts need the markdown processor of Astro, and ${root} has no Astro installed.`,
    {
      hint: "Install it with `npm install astro`, or set `posts: false`.",
    },
  );
}

function resolveFrom(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}
