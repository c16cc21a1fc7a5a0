import { createRequire, findPackageJSON } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import { ImprintError } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";

/**
 * Creates the Markdown renderer of a project: its Astro with the `markdown` and `image` settings of its config. Loaded
 * with the first post, since loading takes longer than all the rest of a run with nothing to render.
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

/** Source of a Markdown text. */
interface MarkdownContext {
  /** Absolute path of the file. */
  readonly file: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/** Converts Markdown to HTML. Images of the site may be left as Astro's `__ASTRO_IMAGE_` placeholders. */
export interface RenderMarkdown {
  (markdown: string, context: MarkdownContext): Promise<{ readonly html: string }>;
  /** Identifies everything except the text that determines the HTML; absent if that isn't known. */
  readonly key?: string | undefined;
}

/** The parts needed of the config that an integration receives in `astro:config:done`. */
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

// Astro's own types would require every user of this package to install Astro.
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
 * Renders as the site does, with the processor, plugins, and highlighting of its Astro config. Without a config, or
 * with Astro 6, whose config has no processor, uses the processor of the Astro installed in `root`. Throws
 * `OPTIONS_INVALID` if there is none.
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
    `Posts require Astro's Markdown processor, but Astro isn't installed in ${root}.`,
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

/** Everything that determines how Markdown is rendered, as text: equal texts mean the same HTML. */
export type RendererKey = string;

/**
 * Describes a renderer by its versions and settings. Returns `undefined` if the settings include plugins or other
 * functions, whose behavior can't be compared.
 */
export function describeRenderer(root: string, config: AstroMarkdownConfig | undefined): RendererKey | undefined {
  const { processor, ...settings } = config?.markdown ?? {};
  const options: unknown = processor === undefined ? undefined : Reflect.get(processor, "options");
  const name: unknown = processor === undefined ? undefined : Reflect.get(processor, "name");
  const described = { settings, name, options, image: config?.image };
  if (hasCode(described, "")) return undefined;
  return JSON.stringify([findVersions(root), described]);
}

function hasCode(value: unknown, key: string): boolean {
  if (typeof value === "function") return true;
  if (Array.isArray(value) && /plugins$/i.test(key) && value.length > 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, item]) => hasCode(item, name));
}

const PACKAGES = ["@astrojs/markdown-satteri", "@astrojs/markdown-remark", "shiki"];

function findVersions(root: string): readonly (string | undefined)[] {
  const astro = findManifest("astro", join(root, "package.json")) ?? findManifest("astro", import.meta.filename);
  if (astro === undefined) return [];
  return [astro, ...PACKAGES.map((name) => findManifest(name, astro))].map(versionOf);
}

function findManifest(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

function versionOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  return String(Reflect.get(Object(manifest), "version"));
}

/**
 * Runs `work` and logs each Shiki warning about an unknown language only once. Shiki writes to the console, one line
 * per code block, and offers no other way to listen.
 */
export async function captureShikiWarnings<Result>(logger: Logger, work: () => Promise<Result>): Promise<Result> {
  const seen = new Set<string>();
  // oxlint-disable-next-line no-console
  const original = console.warn;
  // oxlint-disable-next-line no-console
  console.warn = (...values: unknown[]) => {
    const [message] = values;
    if (typeof message !== "string" || !message.startsWith("[Shiki]")) return original(...values);
    if (!seen.has(message)) logger.warn(message.replace("[Shiki] ", "Code in posts: "));
    seen.add(message);
  };
  try {
    return await work();
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = original;
  }
}
