import { tidyHtml } from "./tidy-html.ts";
import { readFields, refuse, renderList, requireText, withoutLate, type Answer, type Call } from "./wire.ts";
import { shownId, type PostRecord } from "./world.ts";

export function listBlogs(call: Call): Answer {
  const { dialect, world } = call;
  const shown = withoutLate(call, world.blogs.values()).map(({ id, fields, createdAt }) => {
    const name = { [dialect.posts.blogName]: fields[dialect.posts.blogName] };
    const few = { id: shownId(dialect, id), ...name };
    return dialect.lists.fields === "few" ? few : { ...fields, ...few, createdAt };
  });
  return renderList(call, "blogs", shown);
}

const UNSET = { tags: [], cover_url: null, excerpt: "" };

export async function createBlog(call: Call): Promise<Answer> {
  const { dialect, world } = call;
  const fields = await readFields(call, "json");
  const name = requireText(call, fields, dialect.posts.blogName);
  const id = world.newId("bl");
  world.blogs.set(id, { id, fields, createdAt: world.now().toISOString() });
  world.posts.set(id, []);
  return { status: 201, json: { id: shownId(dialect, id), [dialect.posts.blogName]: name } };
}

export function listPosts(call: Call): Answer {
  const { dialect } = call;
  const listed = postsOf(call).filter(({ isDraft }) => dialect.lists.drafts === "shown" || isDraft !== true);
  const shown = listed.map((post) => {
    const few = { id: shownId(dialect, post.id), title: post.title, ...post.trashed };
    if (dialect.posts.lists === "id-and-title") return few;
    if (dialect.posts.lists === "as-sent") return { ...post.sent, ...few, createdAt: post.createdAt };
    const shownText = { [dialect.posts.textless === "taken" ? "html" : dialect.posts.body]: post.html };
    return {
      ...toldStatus(dialect, post),
      ...few,
      slug: post.slug,
      createdAt: post.createdAt,
      ...(dialect.posts.lists === "no-text" ? {} : shownText),
      ...toldAddress(call, post.slug),
      ...(dialect.posts.lists === "unset" && { ...UNSET, published_at: post.createdAt }),
    };
  });
  return renderList(call, "posts", shown);
}

export async function createPost(call: Call): Promise<Answer> {
  const { dialect, world } = call;
  const posts = postsOf(call);
  const fields = await readFields(call, "json");
  const title = TITLED[dialect.posts.titles](requireText(call, fields, "title"));
  const { body, textless, otherBodies } = dialect.posts;
  const unknown = ["html", "content", "body"].find((name) => name !== body && name in fields);
  if (unknown !== undefined && otherBodies === "refused") refuse(400, `Unknown field: ${unknown}.`);
  const html = textless === "taken" ? String(fields[body] ?? "") : requireText(call, fields, body);
  const slug = keptSlug(call, fields["slug"], title);
  const isSame = (post: PostRecord) => (dialect.posts.sameBy === "title" ? post.title === title : post.slug === slug);
  const holder = posts.find(isSame);
  if (dialect.posts.duplicates === "returned" && holder !== undefined) {
    const { id, title: heldTitle } = holder;
    return { status: 200, json: { id: shownId(dialect, id), title: heldTitle, slug, ...toldAddress(call, slug) } };
  }
  if (dialect.posts.duplicates === "409" && holder !== undefined) {
    refuse(409, `The blog has a post "${slug}" already.`);
  }
  const stored = tidyHtmlPart(STORED[dialect.posts.stores](html), dialect.pages.keeps);
  const updates = UPDATED[dialect.posts.duplicates];
  if (updates !== undefined && holder !== undefined) {
    const isAnother = dialect.posts.duplicates.startsWith("another");
    const target = (isAnother ? posts.find((post) => post !== holder) : undefined) ?? holder;
    const changed = { ...target, ...updates({ title, html: stored, sent: fields, id: world.newId("po") }) };
    posts[posts.indexOf(target)] = changed;
    const told = dialect.posts.duplicates === "another updated" ? holder : changed;
    const named = { id: shownId(dialect, told.id), title: told.title, slug: told.slug };
    return { status: 200, json: { ...named, ...toldAddress(call, told.slug) } };
  }
  const post: PostRecord = {
    id: world.newId("po"),
    ...{ slug, title, sent: fields },
    html: stored,
    createdAt: world.now().toISOString(),
    isDraft: dialect.posts.kept !== "published",
  };
  posts.push(post);
  if (dialect.posts.answers === "nothing") return { status: dialect.posts.created, json: { accepted: true } };
  const few = { id: shownId(dialect, post.id), title };
  const all = { ...few, slug, ...toldStatus(dialect, post), ...toldAddress(call, slug) };
  return { status: dialect.posts.created, json: ["all", "no-text"].includes(dialect.posts.lists) ? all : few };
}

function toldStatus({ posts: { kept } }: Call["dialect"], { isDraft }: PostRecord): { readonly status?: string } {
  if (kept === "unnamed draft") return {};
  return { status: isDraft === true && kept !== "published" ? kept : isDraft === true ? "draft" : "published" };
}

function toldAddress({ dialect, world, param }: Call, slug: string): { readonly url?: string } {
  const { tells } = dialect.posts;
  if (tells === "nothing") return {};
  const { pages } = world.addresses;
  const host = tells === "url" ? pages : pages.replace("127.0.0.1", "localhost");
  return { url: `${host}/blog/${param}/${slug}` };
}

function postsOf({ world, param }: Call): PostRecord[] {
  const posts = world.posts.get(param);
  if (posts === undefined) refuse(404, "There is no such blog.");
  return posts;
}

const RICH = /<img\b[^>]*>|<(table|iframe|pre)\b.*?<\/\1>/gs;

const STORED: Readonly<Record<Call["dialect"]["posts"]["stores"], (html: string) => string>> = {
  all: (html) => html,
  "plain text": (html) => html.replace(RICH, ""),
  "before emoji": (html) => html.split(/[\u{10000}-\u{10FFFF}]/u, 1)[0] ?? "",
  "markup as text": (html) => `<p>${html.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`,
};

type New = Pick<PostRecord, "title" | "html" | "sent" | "id">;

const UPDATED: Partial<Readonly<Record<Call["dialect"]["posts"]["duplicates"], (post: New) => Partial<PostRecord>>>> = {
  updated: ({ title, html, sent }) => ({ title, html, sent, isDraft: false }),
  unpublished: ({ title, html, sent }) => ({ title, html, sent, isDraft: true }),
  "another updated": ({ title, html, sent }) => ({ title, html, sent }),
  "another returned": ({ title, html, sent }) => ({ title, html, sent }),
  "title updated": ({ title }) => ({ title }),
  "text updated": ({ html }) => ({ html }),
  replaced: (post) => post,
};

const TITLED: Readonly<Record<Call["dialect"]["posts"]["titles"], (title: string) => string>> = {
  kept: (title) => title,
  "30 characters": (title) => title.slice(0, 30),
  untitled: () => "Untitled",
};

// A post is a fragment, so the elements that the parser adds around it are removed.
function tidyHtmlPart(html: string, keeps: Call["dialect"]["pages"]["keeps"]): string {
  const tidied = tidyHtml(`<body>${html}`, keeps).replace("<body>", "");
  return /^([\s\S]*)<\/body>/.exec(tidied)?.[1] ?? tidied;
}

function keptSlug({ dialect: { posts }, world, param }: Call, slug: unknown, title: string): string {
  const given = posts.slugs !== "from-title" && typeof slug === "string" ? slug : slugOf(title);
  const all = world.posts.get(param) ?? [];
  if (posts.slugs === "24 characters") return given.slice(0, 24).replace(/-$/, "");
  if (posts.slugs === "taken numbered" && all.some((post) => post.slug === given)) return `${given}-2`;
  return posts.slugs === "numbered" ? `${given}-${101 + all.length}` : given;
}

function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ["post"];
  return words.join("-");
}
