import { defaultSchema, type Options as Schema } from "rehype-sanitize";

const tagNames = defaultSchema.tagNames ?? [];
const attributes = defaultSchema.attributes ?? {};
const protocols = defaultSchema.protocols ?? {};

const SIZE = ["width", "height"] as const;
const MEDIA = ["src", "controls", "loop", "muted", "preload"] as const;
const LINK_RELATIONS = [
  "noopener",
  "noreferrer",
  "nofollow",
  "external",
  "sponsored",
  "ugc",
  "me",
  "author",
  "license",
];
const ALIGNMENT = ["style", /^text-align: (?:left|center|right)$/] satisfies [string, RegExp];

/**
 * What HTML may do in the Markdown of a post: the schema of rehype-sanitize (GitHub's rules), and what an article needs
 * beyond that: figures, marks, captions, columns, video and audio. Styles, classes, scripts, frames, forms, SVG and
 * MathML are left out. Ids are kept here and renamed by `finishElements`.
 */
export const POST_SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: [
    ...tagNames,
    ...["figure", "figcaption", "mark", "small", "u", "abbr", "cite", "dfn", "time", "wbr", "bdi", "bdo", "address"],
    ...["article", "aside", "caption", "colgroup", "col", "video", "audio", "track"],
  ],
  attributes: {
    ...attributes,
    "*": (attributes["*"] ?? []).filter((name) => name !== "name"),
    a: [...(attributes["a"] ?? []), "name", ["target", "_blank"], ["rel", ...LINK_RELATIONS]],
    th: [ALIGNMENT],
    td: [ALIGNMENT],
    img: [...(attributes["img"] ?? []), "srcSet", "sizes", "loading", "decoding"],
    source: [...(attributes["source"] ?? []), "src", "type", "sizes"],
    pre: [["className", "astro-code"], "dataLanguage"],
    video: [...MEDIA, ...SIZE, "poster", "playsInline"],
    audio: [...MEDIA],
    track: ["src", "kind", "srcLang", "default"],
  },
  protocols: {
    ...protocols,
    href: [...(protocols["href"] ?? []), "tel"],
    poster: ["http", "https"],
  },
  // Their content is not text for readers.
  strip: ["script", "style", "template", "iframe", "object", "noscript", "textarea", "select", "title", "svg", "math"],
  clobber: [],
};
