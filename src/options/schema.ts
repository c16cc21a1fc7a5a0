import * as z from "zod";
import { serviceAddress, withScheme } from "../base/service-address.ts";
import { dialectSchema, pagesAtSchema } from "../contract/dialect.ts";
import { isSlug } from "../contract/slug.ts";
import { brandKitOptions } from "./brand-kit-options.ts";
import { described } from "./described.ts";

const SLUG = "must be a slug: lowercase letters, digits and hyphens, at most 96 characters";
const slugText = z.string(SLUG).refine(isSlug, SLUG);

const webAddress = z
  .url({ protocol: /^https?$/, message: "must be an http or https address" })
  .transform(withoutEndSlash);

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const DURATION = "must be a time such as 30m, 24h or 2d";

/** `30m`, `24h`, `2d` as milliseconds. */
const duration = z
  .string(DURATION)
  .regex(/^\d+[mhd]$/, DURATION)
  .transform((text) => Number.parseInt(text, 10) * UNITS_MS[text.endsWith("m") ? "m" : text.endsWith("h") ? "h" : "d"]);

const slugFunction = z.custom<(route: string) => string | undefined>((value) => typeof value === "function");
const SLUGS = "must be an object from route to slug, or a function";

export const embeddedOptions = z.strictObject({
  port: described(
    z.int().min(0).max(65_535).default(4400),
    "Port of the API and the dashboard. 0 selects any free port.",
  ),
  pagesPort: described(
    z.int().min(0).max(65_535).default(4401),
    "Port of the published pages and library files. 0 selects any free port.",
  ),
  dataDir: described(
    z.string().min(1).default(".imprint"),
    "Folder of the database and the files, relative to the project.",
  ),
});

const PREVIEWS = "must be true, false or a list of branches";
const NO_BRANCH = "must name at least one branch";

const publishRules = z.strictObject({
  branches: described(
    z.array(z.string().min(1), NO_BRANCH).min(1, NO_BRANCH),
    'Branches whose builds publish the live site, as names or glob patterns: `["main", "release/*"]`.',
  ),
  previews: described(
    z.union([z.boolean(), z.array(z.string().min(1))], PREVIEWS).default(false),
    "Whether to publish other branches and pull requests as previews: all (`true`), or matching branches. A preview has the name of its branch, or `pr-12` for a pull request.",
  ),
});

const siteOptions = z.strictObject({
  name: described(z.string().trim().min(1).max(200).optional(), {
    description: "Name of the site that groups the pages on the service.",
    default:
      "the common part of the pages' titles, else the title of the home page; imprint keeps a name that somebody sets on the service",
  }),
  slug: described(slugText.optional(), {
    description:
      "Slug of the site on the service. The first publish finds the site by it; later ones find it by its ID in the lock file, and keep its slug.",
    default: "derived from the name",
  }),
});

const blogOptions = z.strictObject({
  id: described(
    z.string().min(1).optional(),
    "ID of an existing blog. If the service has no such blog, no post is sent. With route set B, which can't list blogs, set it to use an existing blog.",
  ),
  name: described(z.string().trim().min(1).max(200).optional(), {
    description: "Name of the blog when imprint creates it. Later publishes keep the name that it has on the service.",
    default: "the name of the site",
  }),
  slug: described(
    slugText.default("blog"),
    "Slug of the blog. The first publish finds the blog by it, or creates it; later ones find it by its ID in the lock file, and keep its slug. To move to another blog, set `posts.blog.id`. Pages that imprint creates for posts are below `/<slug>/`.",
  ),
  create: described(z.boolean().optional(), {
    description:
      "Whether to create the blog if imprint doesn't find it. Where blogs can't be listed (route set B), creating it again could make a second blog, so set it to `true` there for the first publish. The same applies if the host shows no slugs of blogs and another blog has the same name.",
    default: "true where blogs can be listed and none has the same name",
  }),
});

const ownKey = z.string().min(1).optional();

const postFields = z.strictObject({
  title: ownKey,
  slug: ownKey,
  permalink: ownKey,
  date: ownKey,
  expires: ownKey,
  draft: ownKey,
  published: ownKey,
  status: ownKey,
  excerpt: ownKey,
  tags: ownKey,
  author: ownKey,
  cover: ownKey,
  coverAlt: ownKey,
  canonical: ownKey,
  language: ownKey,
  ignore: z.array(z.string().min(1), "must be a list of keys").optional(),
});

const postsOptions = z.strictObject({
  collection: described(z.string().min(1).optional(), {
    description:
      "Content collection of the posts. A build reads them through Astro's content API, with the schema's data, the site's own IDs, and MDX with its components.",
    default: "the collection with the folder's name, if the site has one",
  }),
  folder: described(z.string().min(1).optional(), {
    description: "Folder of the Markdown files, relative to the project.",
    default:
      'the folder where the last `astro build` found the collection\'s files; before the first one, "src/content/<collection>", "src/content/blog" without a collection',
  }),
  fields: described(postFields.default({}), {
    description:
      'Your front matter keys by field: `{ date: "written", excerpt: "teaser" }`. docs/posts.md lists the fields. `ignore` lists keys to ignore: `{ ignore: ["unlistedInFeed"] }`.',
    type: "Partial<Record<PostField, string>> & { ignore?: string[] }",
  }),
  statuses: described(
    z.record(z.string().min(1), z.enum(["shown", "hidden"], 'must be "shown" or "hidden"')).default({}),
    'Your values of `status`, `state`, or `visibility`, and whether they show a post: `{ evergreen: "shown", seedling: "hidden" }`. A post with an unknown value is on hold.',
  ),
  tags: described(
    z.enum(["comma", "space"]).default("comma"),
    'What separates tags in a single string: commas, or with `"space"` also spaces, as in Jekyll.',
  ),
  blog: described(blogOptions.prefault({}), { description: "The blog that the posts go to.", type: "BlogOptions" }),
  target: described(
    z.enum(["blog", "pointer", "pages"]).default("blog"),
    "Where posts go. `blog`: whole posts in the blog; a service that can't change posts keeps them as they were first sent. `pointer`: short posts in the blog that link to pages with the full text, so that edits of the text reach readers on every host. `pages`: only pages, which can be changed and deleted. The page is your site's own page whose route ends with the post's slug; if there is none, imprint creates one.",
  ),
  pages: described(
    z.enum(["published", "all"]).default("published"),
    "Which of your site's own post pages to publish. `published`: leaves out the pages of drafts, scheduled posts, and expired posts, links to them, and their feed items. `all`: publishes every page that the site builds.",
  ),
  settle: described(
    duration.optional(),
    "How long a new post has to stay unchanged before imprint sends it, such as `24h`, so that fewer mistakes reach a blog whose posts can't be changed. The time starts when the file or an image beside it was last written or, if git has the same content, last committed.",
  ),
  writeId: described(
    z.boolean().default(false),
    "Whether to write a new post's ID on the service into its front matter, as one line `imprintId: …`. imprint then recognizes the post even if everything else is lost or renamed. Nothing else in the file changes.",
  ),
  timezone: described(z.string().min(1).default("UTC"), "IANA time zone of front matter dates without one."),
});

const POSTS = "must be false, or an object such as {}";

function withFolder({ folder, ...posts }: z.output<typeof postsOptions>) {
  return { ...posts, folder: folder ?? usualFolder(posts) };
}

/** The folder of the posts if `posts.folder` specifies none, and no build found another one. */
export function usualFolder({ collection = "blog" }: { readonly collection?: string | undefined }): string {
  return `src/content/${collection}`;
}

const imagesOptions = z.strictObject({
  optimize: described(
    z.boolean().default(true),
    "Whether to compress images that Astro didn't optimize, if the difference isn't visible.",
  ),
  formats: described(
    z.array(z.enum(["webp", "avif"])).default(["webp"]),
    "Formats that imprint may convert images to, where the format doesn't matter. AVIF makes most photos even smaller, but takes several times as long.",
  ),
});

export const optionsSchema = z.strictObject({
  service: described(
    z
      .union([z.literal("embedded"), webAddress.transform(serviceAddress), embeddedOptions], {
        error: ({ input }) => describeService(input),
      })
      .optional(),
    {
      description:
        'Where to publish: the address of the service before `/api`, or `"embedded"` for the service in the package `astro-imprint-service`. The environment variable `IMPRINT_SERVICE` replaces `"embedded"`, and applies if this option is missing. Without either, builds publish to the embedded service, except in CI, where they fail.',
      type: '"embedded" | string | EmbeddedServiceOptions',
    },
  ),
  routeSet: described(z.enum(["auto", "a", "b"]).default("auto"), "Route set of the service. `auto` detects it."),
  publish: described(
    z.union([z.boolean(), publishRules], { message: "must be true, false or an object with `branches`" }).default(true),
    {
      description:
        "Whether a build publishes. With `false`, only `imprint publish` does, for sites with other build steps. An object lists the branches to publish, for both builds and `imprint publish`.",
      type: "boolean | PublishRules",
    },
  ),
  preview: described(
    z.string().trim().min(1, "must not be empty").optional(),
    "Name of a preview, such as `pr-12`. The site is then published beside the live one, at its own addresses. The environment variable `IMPRINT_PREVIEW` takes precedence over this option, and `--preview` over both.",
  ),
  site: described(siteOptions.prefault({}), { description: "The site on the service.", type: "SiteOptions" }),
  slugs: described(z.union([z.record(z.string(), slugText), slugFunction], SLUGS).default({}), {
    description:
      'Slugs to use for routes instead of the slug from their path: `{ "/about/": "about-us" }`. `prefix` is put before the slugs of all other pages, so that several sites can share an account: `{ prefix: "docs" }`.',
    type: "Record<string, string> | ((route: string) => string | undefined)",
  }),
  exclude: described(z.array(z.string().min(1)).default([]), "Routes to exclude, as glob patterns: `/drafts/**`."),
  pagesUrl: described(
    z
      .union([pagesAtSchema, webAddress.refine((text) => !/[{}]/.test(text), { abort: true })], {
        message:
          "must be an http or https address, with {slug} once in its path or as the first part of its host, or without it",
      })
      .optional(),
    "Where the service serves published pages: the address before `/p/`, or a pattern such as `https://x.example/{slug}` or `https://{slug}.x.example/`. Links between pages, canonical addresses, and Open Graph addresses use it. Set it only if the service doesn't announce it and the first publish can't find it.",
  ),
  dialect: described(dialectSchema.default({}), {
    description:
      "What the host accepts, where hosts differ. imprint learns it from the host's responses and stores it in imprint.lock.json; values that you set here take precedence. `imprint doctor` prints what imprint learned.",
    type: "Dialect",
  }),
  posts: described(z.union([z.literal(false), postsOptions.transform(withFolder)], POSTS).default(false), {
    description: "Publishes Markdown posts to a blog. Off by default; `{}` uses all defaults.",
    type: "false | PostsOptions",
  }),
  brandKit: described(z.union([z.literal(false), brandKitOptions]).prefault({}), {
    description: "The brand kit that imprint extracts from the site and attaches to it.",
    type: "false | BrandKitOptions",
  }),
  images: described(imagesOptions.prefault({}), {
    description: "How imprint optimizes images.",
    type: "ImagesOptions",
  }),
  maxHtmlBytes: described(z.int().min(1000).optional(), {
    description:
      "Maximum size of a page in bytes, with everything that is inlined. imprint makes a larger page smaller: it links style sheets if the library serves them, then leaves out italics, weights other than regular, and fonts for characters beyond basic Latin, with a warning for each. A page that is still too large isn't published.",
    default: "the service's announced limit, else none",
  }),
  prune: described(
    z.union([z.literal("report"), z.boolean()], { message: 'must be "report", true or false' }).default("report"),
    'What to do with pages that imprint published and the site no longer has: report them (`"report"`), delete them (`true`), or leave them without a report (`false`). The home page always stays, as a build without one is probably incomplete.',
  ),
  maxDeleteShare: described(
    z.number().min(0).max(1).default(0.3),
    "Maximum share of the published pages that one run may delete. If a run would delete more, it stops before it sends anything.",
  ),
  adopt: described(
    z.boolean().default(false),
    "Whether to replace a page that has one of the site's slugs if imprint can't confirm that it published the page.",
  ),
  toolbar: described(
    z.boolean().default(true),
    "Whether Astro's dev toolbar shows imprint's panel. Builds never contain it.",
  ),
  strict: described(z.boolean().default(false), "Whether warnings and blocked changes fail the run."),
});

/** Where the embedded service listens and stores its data. */
export type EmbeddedOptions = z.output<typeof embeddedOptions>;
/** Options as an author writes them. */
export type ImprintOptions = z.input<typeof optionsSchema>;
/** Options with every default filled in. */
export type Options = z.output<typeof optionsSchema>;

function describeService(input: unknown): string {
  const whole = typeof input === "string" ? withScheme(input) : undefined;
  return whole === undefined
    ? 'must be "embedded", the address of the service, or an object with the ports of the embedded service'
    : `must start with http:// or https://: "${whole}"`;
}

function withoutEndSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
