import * as z from "zod";
import { dialectSchema, pagesAtSchema } from "../contract/dialect.ts";
import { isSlug } from "../contract/slug.ts";
import { brandKitOptions } from "./brand-kit-options.ts";
import { described } from "./described.ts";

const slugText = z.string().refine(isSlug, {
  message: "must be a slug: lower-case letters, digits and hyphens, at most 96 characters",
});

const webAddress = z
  .url({ protocol: /^https?$/, message: "must be an http or https address" })
  .transform(withoutEndSlash);

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `24h`, `2d` as milliseconds. */
const duration = z
  .string()
  .regex(/^\d+[mhd]$/, "must be a time such as 30m, 24h or 2d")
  .transform((text) => Number.parseInt(text, 10) * UNITS_MS[text.endsWith("m") ? "m" : text.endsWith("h") ? "h" : "d"]);

const slugFunction = z.custom<(route: string) => string | undefined>((value) => typeof value === "function", {
  message: "must be an object from route to slug, or a function",
});

export const embeddedOptions = z.strictObject({
  port: described(
    z.int().min(0).max(65_535).default(4400),
    "Port of the API and the dashboard. 0 takes any free port.",
  ),
  pagesPort: described(
    z.int().min(0).max(65_535).default(4401),
    "Port of the published pages and library files. 0 takes any free port.",
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
    "Whether other branches and pull requests are published as previews: all (`true`), or those of matching branches. A preview is named by its branch, or `pr-12` for a pull request.",
  ),
});

const siteOptions = z.strictObject({
  name: described(z.string().trim().min(1).max(200).optional(), {
    description: "Name of the site at the service that groups the pages.",
    default:
      "what the titles of the pages have in common, else the title of the home page; a name that somebody gives the site at the service stays",
  }),
  slug: described(slugText.optional(), {
    description: "Slug of the site at the service, by which it is found again.",
    default: "made from the name",
  }),
});

const blogOptions = z.strictObject({
  id: described(
    z.string().min(1).optional(),
    "Id of an existing blog. Route set B can't list blogs, so that an existing blog needs its id there.",
  ),
  name: described(z.string().trim().min(1).max(200).optional(), {
    description: "Name of the blog.",
    default: "the name of the site",
  }),
  slug: described(slugText.default("blog"), "Slug of the blog, by which it is found again."),
  create: described(z.boolean().optional(), {
    description:
      "Whether a blog that is not found is created. Where blogs can't be listed (route set B) a repeated creation could make a second blog, so there it has to be asked for; and so it has where a host shows no slugs of blogs and somebody else's has the same name.",
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
      "Content collection of the posts, which a build takes through Astro's content API: with the schema's data, the site's own ids, and MDX with its components.",
    default: "the collection that is called like the folder, where the site has one",
  }),
  folder: described(z.string().min(1).optional(), {
    description: "Folder of the markdown files, relative to the project.",
    default: '"src/content/<collection>", "src/content/blog" without one',
  }),
  fields: described(postFields.default({}), {
    description:
      'Own front matter keys by field: `{ date: "written", excerpt: "teaser" }`. docs/posts.md lists the fields. `ignore` lists keys that mean nothing: `{ ignore: ["unlistedInFeed"] }`.',
    type: "Partial<Record<PostField, string>> & { ignore?: string[] }",
  }),
  statuses: described(
    z.record(z.string().min(1), z.enum(["shown", "hidden"], 'must be "shown" or "hidden"')).default({}),
    'Own words of `status`, `state` or `visibility`, and whether they show a post: `{ evergreen: "shown", seedling: "hidden" }`. A post with an unknown word is on hold.',
  ),
  tags: described(
    z.enum(["comma", "space"]).default("comma"),
    'What separates tags that are written as one text: commas, or with `"space"` also spaces as in Jekyll.',
  ),
  blog: described(blogOptions.prefault({}), { description: "The blog that the posts go to.", type: "BlogOptions" }),
  target: described(
    z.enum(["blog", "pointer", "pages"]).default("blog"),
    "Where posts go. `blog`: whole, to the blog; a service that can't change posts keeps them as they were first sent. `pointer`: a short post in the blog that leads to a page with the text, so that edits of the text reach readers everywhere. `pages`: pages only, which can be changed and deleted. The page is the site's own, whose route ends with the post's slug; where the site has none, one is made of the post.",
  ),
  pages: described(
    z.enum(["published", "all"]).default("published"),
    "Which of the site's own pages of posts are published. `published`: pages of drafts, scheduled and expired posts are left out, with links to them and their items in feeds. `all`: every page that the site builds.",
  ),
  settle: described(
    duration.optional(),
    "How long a new post has to be left unchanged before it is sent, such as `24h`: fewer mistakes reach a blog whose posts can't be changed. A post counts as changed when its file or an image beside it was written, or was last committed where git has it as it is.",
  ),
  writeId: described(
    z.boolean().default(false),
    "Whether the id that the service gives a new post is written into its front matter, as one line `imprintId: …`. The post is then recognised by it whatever else is lost or renamed. Nothing else in the file is changed.",
  ),
  timezone: described(z.string().min(1).default("UTC"), "IANA time zone of dates in front matter that name none."),
});

/** A collection's posts stand in its folder, unless another is named. */
function withFolder({ folder, ...posts }: z.output<typeof postsOptions>) {
  return { ...posts, folder: folder ?? `src/content/${posts.collection ?? "blog"}` };
}

const imagesOptions = z.strictObject({
  optimize: described(
    z.boolean().default(true),
    "Whether images that Astro did not optimize are made smaller where that can't be seen.",
  ),
  formats: described(
    z.array(z.enum(["webp", "avif"])).default(["webp"]),
    "Types that an image may become where its own type does not matter. AVIF makes most photos smaller still, and takes several times as long.",
  ),
});

/** Everything that a user may set, with its rule, its default and its documentation. */
export const optionsSchema = z.strictObject({
  service: described(
    z
      .union([z.literal("embedded"), webAddress, embeddedOptions], {
        message: 'must be "embedded", the address of the service, or an object with the ports of the embedded service',
      })
      .optional(),
    {
      description:
        'Where to publish: the address of the service before `/api`, or that of the package `astro-imprint-service`. `IMPRINT_SERVICE` in the environment replaces `"embedded"`, and is used when this option is missing. Without either, builds outside a CI publish to the embedded service, and builds in a CI fail.',
      type: '"embedded" | string | EmbeddedServiceOptions',
    },
  ),
  routeSet: described(
    z.enum(["auto", "a", "b"]).default("auto"),
    "Which route set the service speaks. `auto` asks it.",
  ),
  publish: described(
    z.union([z.boolean(), publishRules], { message: "must be true, false or an object with `branches`" }).default(true),
    {
      description:
        "Whether a build publishes. `false`: only `imprint publish` does, for sites with other build steps. An object names the branches that do, for builds and for `imprint publish` alike.",
      type: "boolean | PublishRules",
    },
  ),
  preview: described(
    z.string().trim().min(1, "must not be empty").optional(),
    "Name of a preview to publish as, beside the live site and under its own addresses, such as `pr-12`. `IMPRINT_PREVIEW` in the environment wins over it, and `--preview` over both.",
  ),
  site: described(siteOptions.prefault({}), { description: "The site at the service.", type: "SiteOptions" }),
  slugs: described(z.union([z.record(z.string(), slugText), slugFunction]).default({}), {
    description:
      'Slugs for routes that need another one than their path gives: `{ "/about/": "about-us" }`. `prefix` begins the slugs of all other pages, so that several sites can share an account: `{ prefix: "docs" }`.',
    type: "Record<string, string> | ((route: string) => string | undefined)",
  }),
  exclude: described(
    z.array(z.string().min(1)).default([]),
    "Routes that are not published, as glob patterns: `/drafts/**`.",
  ),
  pagesUrl: described(
    z
      .union([pagesAtSchema, webAddress.refine((text) => !/[{}]/.test(text))], {
        message:
          "must be an http or https address, with {slug} once in its path or as the first part of its host, or without it",
      })
      .optional(),
    "Where the service shows published pages: the address before `/p/`, or a pattern such as `https://x.example/{slug}` or `https://{slug}.x.example/`. Needed only where the service doesn't say it and the first publish can't find it; links between pages, canonical and Open Graph addresses are made from it.",
  ),
  dialect: described(dialectSchema.default({}), {
    description:
      "How the host wants to be written to, where hosts differ. imprint learns it from the host's refusals and keeps it in imprint.lock.json; what is set here wins. `imprint doctor` prints what was learned.",
    type: "Dialect",
  }),
  posts: described(z.union([z.literal(false), postsOptions.transform(withFolder)]).default(false), {
    description: "Markdown posts that are published to a blog. Off unless set; `{}` takes all defaults.",
    type: "false | PostsOptions",
  }),
  brandKit: described(z.union([z.literal(false), brandKitOptions]).prefault({}), {
    description: "The brand kit that is taken from the site and attached to it.",
    type: "false | BrandKitOptions",
  }),
  images: described(imagesOptions.prefault({}), { description: "How images are treated.", type: "ImagesOptions" }),
  maxHtmlBytes: described(z.int().min(1000).optional(), {
    description:
      "Largest page in bytes, with all that is put into it. A larger one links its stylesheets where the library serves them, then does without italics, without weights besides the regular one, and without fonts for characters beyond basic Latin, each reported as a warning; one that does not fit even so is not published.",
    default: "what the service announces; else any size",
  }),
  prune: described(
    z.union([z.literal("report"), z.boolean()], { message: 'must be "report", true or false' }).default("report"),
    'What happens to pages that imprint published and the site no longer has: reported (`"report"`), deleted (`true`) or left alone without a word (`false`).',
  ),
  maxDeleteShare: described(
    z.number().min(0).max(1).default(0.3),
    "Largest share of the published pages that one run may delete; more stops the run before anything is sent.",
  ),
  adopt: described(
    z.boolean().default(false),
    "Whether a page that stands at a wanted slug, and can't be shown to be published by imprint, is taken over.",
  ),
  toolbar: described(
    z.boolean().default(true),
    "Whether the toolbar of `astro dev` gets the panel of imprint. It is no part of builds.",
  ),
  strict: described(z.boolean().default(false), "Whether warnings fail the run."),
});

/** Where the embedded service listens and keeps its data. */
export type EmbeddedOptions = z.output<typeof embeddedOptions>;
/** Options as an author writes them. */
export type ImprintOptions = z.input<typeof optionsSchema>;
/** Options with every default filled in. */
export type Options = z.output<typeof optionsSchema>;

function withoutEndSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
