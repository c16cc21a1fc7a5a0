import { titlesOf } from "../../../contract/fields.ts";
import { postRecord } from "../../../contract/records.ts";
import { postCreateBody, postPatchBody } from "../../../contract/operations/blogs.ts";
import { postUrl } from "../../resources/addresses.ts";
import { getBlog } from "../../resources/blogs.ts";
import { createPost, createPreviewLink, getPost, patchPost, removePost, type BlogPost } from "../../resources/posts.ts";
import { slugFrom } from "../../resources/fields.ts";
import { renderWholePost } from "../../look/whole-post.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import {
  inputOf,
  parseInput,
  readForm,
  textOrNull,
  valuesOf,
  versionOf,
  type Fields,
  type FormState,
  type FormValues,
} from "../forms.ts";
import { Action, ButtonLink, FormLink, renderSecret } from "../parts/actions.tsx";
import { FieldList, HiddenFields } from "../parts/fields.tsx";
import { Facts, PublishState, Time } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { answerPreview, Preview } from "../parts/previews.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(postRecord);

/** Posts of blogs: one with its preview, and the forms in which they are written. */
export function registerPostPages(app: DashboardApp): void {
  resourcePages(app, {
    section: "/blogs/:blog/posts",
    route: "/blogs/:blog/posts/:slug",
    find: findPost,
    create: { route: "/blogs/:blog/new", render: showNewPost, values: { status: "draft" }, save: saveNewPost },
    show: showPost,
    edit: {
      route: "/blogs/:blog/posts/:slug/edit",
      render: showEditor,
      values: ({ post }) => ({
        ...valuesOf(BODY_FIELDS, post),
        text: post.html ?? post.markdown ?? "",
        kind: post.html === null ? "markdown" : "html",
      }),
      async save(context, _, values) {
        const patch = parseInput(postPatchBody, bodyOf(values));
        const change = { ...namesOf(context), patch, preconditions: versionOf(values) };
        return `${pathOf(await write(context, (records) => patchPost(records, change)))}?notice=saved`;
      },
    },
    actions: { status: setStatus, "preview-links": showPreviewLink },
    questions: {
      delete: {
        ask: (_, shown) => ({
          title: `Delete “${shown.post.title}”?`,
          parent: { title: shown.post.title, path: pathOf(shown) },
          button: "Delete post",
          fields: { version: String(shown.post.version) },
          main: <p>Its text is lost unless you have it elsewhere, such as in the files that it was published from.</p>,
        }),
        async answer(context) {
          const { values } = await readForm(context);
          const removal = { ...namesOf(context), preconditions: versionOf(values) };
          await write(context, (records) => removePost(records, removal));
          return `/blogs/${removal.blogName}?notice=post-deleted`;
        },
      },
    },
  });
  app.get("/blogs/:blog/posts/:slug/preview", showPreview);
}

function namesOf(context: DashboardContext): { readonly blogName: string; readonly slug: string } {
  return { blogName: paramOf(context, "blog"), slug: paramOf(context, "slug") };
}

async function findPost(context: DashboardContext): Promise<BlogPost> {
  return await getPost(context.var.records, namesOf(context));
}

function pathOf({ blog, post }: BlogPost): string {
  return `/blogs/${blog.slug}/posts/${post.slug}`;
}

async function showPreview(context: DashboardContext): Promise<Response> {
  const { core } = context.var;
  const shown = await findPost(context);
  const url = postUrl(core.addresses, { blogSlug: shown.blog.slug, slug: shown.post.slug });
  return answerPreview(await renderWholePost(core, shown), url);
}

/** One post as readers see it. */
function showPost(context: DashboardContext, shown: BlogPost): Response {
  const { blog, post } = shown;
  const { tags, html } = post;
  const url = postUrl(context.var.records.addresses, { blogSlug: blog.slug, slug: post.slug });
  return renderPage(
    context,
    {
      title: post.title,
      parent: { title: blog.name, path: `/blogs/${blog.slug}` },
      actions: <PostActions shown={shown} url={url} />,
    },
    <>
      <Preview path={`${pathOf(shown)}/preview`} title={post.title} />
      <Facts
        rows={[
          [TITLES.status, <PublishState of={post} />],
          [TITLES.excerpt, post.excerpt],
          [TITLES.author, post.author],
          [TITLES.tags, tags.length > 0 && tags.join(", ")],
          [TITLES.coverImage, post.coverImage],
          [TITLES.canonicalUrl, post.canonicalUrl],
          ["Written in", html === null ? "Markdown" : "HTML"],
          [TITLES.version, post.version],
          [TITLES.publishedAt, <Time at={post.publishedAt} />],
          [TITLES.updatedAt, post.updatedAt],
        ]}
      />
    </>,
  );
}

function PostActions({ shown, url }: { readonly shown: BlogPost; readonly url: string }) {
  const { status, version } = shown.post;
  const isPublished = status === "published";
  const path = pathOf(shown);
  return (
    <>
      <FormLink to={`${path}/edit`} label="Edit" />
      {isPublished && <ButtonLink to={url} variant="quiet" label="Open the post" />}
      <Action
        to={`${path}/status`}
        label={isPublished ? "Unpublish" : "Publish"}
        fields={{ status: isPublished ? "draft" : "published", version: String(version) }}
      />
      {!isPublished && <Action to={`${path}/preview-links`} label="Create preview link" />}
      <ButtonLink to={`${path}/delete`} variant="danger" label="Delete" />
    </>
  );
}

async function setStatus(context: DashboardContext): Promise<string> {
  const { values } = await readForm(context);
  const status = values["status"] === "published" ? "published" : "draft";
  const change = { ...namesOf(context), patch: { status }, preconditions: versionOf(values) } as const;
  const changed = await write(context, (records) => patchPost(records, change));
  return `${pathOf(changed)}?notice=${status === "published" ? "post-published" : "post-unpublished"}`;
}

/** Creates a link that shows a draft to others; it is shown once. */
async function showPreviewLink(context: DashboardContext): Promise<Response> {
  const shown = await findPost(context);
  const { url, expiresAt } = await write(context, (records) => createPreviewLink(records, namesOf(context)));
  const path = pathOf(shown);
  return renderSecret(context, {
    title: "Preview link",
    parent: { title: shown.post.title, path },
    status: 201,
    before: (
      <p>
        Anyone with this link can read the draft until <Time at={expiresAt} />. The link always shows the latest version
        and stops working when the post is deleted.
      </p>
    ),
    label: "Preview link",
    text: url,
    hint: "Copy it now: it isn't stored and can't be shown again.",
    done: { title: "Done", path },
  });
}

const TEXT: Fields = {
  title: { label: TITLES.title, required: true },
  text: { label: "Text", kind: "source" },
  kind: {
    label: "Written in",
    kind: "choice",
    options: [
      ["markdown", "Markdown"],
      ["html", "HTML"],
    ],
    hint: "Markdown is rendered as on GitHub, with tables, task lists and footnotes; scripts, styles and frames are removed. HTML is published as it is.",
  },
  excerpt: { label: TITLES.excerpt, kind: "lines", hint: "Shown in the list of posts and in search results." },
};

const AUTHORSHIP: Fields = {
  author: { label: TITLES.author },
  tags: { label: TITLES.tags, hint: "Separated by commas." },
};

const LINKS: Fields = {
  coverImage: { label: TITLES.coverImage, hint: "The address of a picture." },
  canonicalUrl: { label: TITLES.canonicalUrl, hint: "Where the post was first published, if elsewhere." },
};

const STATUS: Fields = {
  status: {
    label: TITLES.status,
    kind: "choice",
    options: [
      ["published", "Published"],
      ["draft", "Draft"],
    ],
  },
};

const SLUG: Fields = {
  slug: {
    label: TITLES.slug,
    hint: "Part of the post’s address, which can’t be changed later. Leave empty to derive it from the title.",
  },
};

// The text of a post and its kind are one field of the API, `markdown` or `html`.
const { text: _text, kind: _kind, ...OWN_TEXT } = TEXT;

/** The fields that a post has by the same names. */
const BODY_FIELDS: Fields = { ...OWN_TEXT, ...AUTHORSHIP, ...LINKS, ...STATUS };

/** The fields of a post, without its slug. */
function PostFields({ state }: { readonly state: FormState }) {
  return (
    <>
      <FieldList fields={TEXT} state={state} />
      <div class="columns even">
        <div>
          <FieldList fields={AUTHORSHIP} state={state} />
        </div>
        <div>
          <FieldList fields={LINKS} state={state} />
        </div>
      </div>
      <FieldList fields={STATUS} state={state} />
    </>
  );
}

/** What the fields say, by the names of the API. */
function bodyOf(values: FormValues) {
  const { text = "", kind } = values;
  return { ...inputOf(postPatchBody, { fields: BODY_FIELDS, values }), [kind === "html" ? "html" : "markdown"]: text };
}

async function showNewPost(context: DashboardContext, form: FormState): Promise<Response> {
  const { name, slug } = await getBlog(context.var.records, paramOf(context, "blog"));
  return renderPage(
    context,
    { title: "New post", parent: { title: name, path: `/blogs/${slug}` }, form },
    <form method="post" action={`/blogs/${slug}/posts`}>
      <PostFields state={form} />
      <FieldList fields={SLUG} state={form} />
      <button type="submit">Save post</button>
    </form>,
  );
}

async function saveNewPost(context: DashboardContext, values: FormValues): Promise<string> {
  const { id } = await getBlog(context.var.records, paramOf(context, "blog"));
  const slug = textOrNull(values["slug"]) ?? slugFrom(values["title"] ?? "", "post");
  const body = parseInput(postCreateBody, { slug, ...bodyOf(values) });
  const created = await write(context, (records) => createPost(records, id, body));
  return `${pathOf(created)}?notice=post-created`;
}

/** The form in which a post is changed. Who saves over the change of somebody else sees both first. */
function showEditor(context: DashboardContext, shown: BlogPost, form: FormState): Response {
  const { post } = shown;
  // The other text is too long to stand beside its field; it is shown below the form.
  const { text: other, ...saved } = form.saved ?? {};
  return renderPage(
    context,
    { title: `Edit “${post.title}”`, parent: { title: post.title, path: pathOf(shown) }, form },
    <>
      <form method="post" action={pathOf(shown)}>
        <PostFields state={{ ...form, saved }} />
        <HiddenFields values={{ version: form.values["version"] }} />
        <button type="submit">{other === undefined ? "Save" : "Save and replace the other version"}</button>
      </form>
      {other !== undefined && (
        <Section id="other" title="The text that was saved meanwhile">
          <p>
            Version {post.version}, saved <Time at={post.updatedAt} />. Copy what you want to keep.
          </p>
          <pre tabindex={0} role="region" aria-labelledby="other">
            {other}
          </pre>
        </Section>
      )}
    </>,
  );
}
