import { titlesOf } from "../../../contract/fields.ts";
import { postRecord } from "../../../contract/records.ts";
import { postUrl } from "../../resources/addresses.ts";
import {
  createPreviewLink,
  getPost,
  patchPost,
  removePost,
  revokePreviewLinks,
  type BlogPost,
} from "../../resources/posts.ts";
import { isPublic, listPreviewLinks } from "../../store/posts.ts";
import { renderWholePost } from "../../look/whole-post.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { readForm, versionOf } from "../forms.ts";
import { Action, ButtonLink, FormLink, renderSecret } from "../parts/actions.tsx";
import { registerPostDesk } from "../desk/post-desk.tsx";
import { Facts, PublishState, Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { noteOnFile } from "../parts/from-file.ts";
import { answerPreview, Preview } from "../parts/previews.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(postRecord);

/** Registers the posts of blogs: a post with its preview, and the forms to edit it. */
export function registerPostPages(app: DashboardApp): void {
  resourcePages(app, {
    section: "/blogs/:blog/posts",
    route: "/blogs/:blog/posts/:slug",
    find: findPost,
    show: showPost,
    actions: { status: setStatus, "preview-links": showPreviewLink, "revoke-links": revokeLinks },
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
  registerPostDesk(app);
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

async function showPost(context: DashboardContext, shown: BlogPost): Promise<Response> {
  const { blog, post } = shown;
  const { tags, html } = post;
  const note = noteOnFile(post);
  const { database, now } = context.var.records;
  const links = isPublic(post, now) ? [] : await listPreviewLinks(database, post.id, now);
  const url = postUrl(context.var.records.addresses, { blogSlug: blog.slug, slug: post.slug });
  return renderPage(
    context,
    {
      title: post.title,
      parent: { title: blog.name, path: `/blogs/${blog.slug}` },
      actions: <PostActions shown={shown} url={url} isVisible={isPublic(post, context.var.records.now)} />,
    },
    <>
      {note !== undefined && <p class="notice">{note}</p>}
      <Preview path={`${pathOf(shown)}/preview`} title={post.title} />
      <Facts
        rows={[
          [TITLES.status, <PublishState of={post} now={context.var.records.now} />],
          [TITLES.excerpt, post.excerpt],
          [TITLES.author, post.author],
          [TITLES.tags, tags.length > 0 && tags.join(", ")],
          [TITLES.coverImage, post.coverImage],
          [TITLES.canonicalUrl, post.canonicalUrl],
          ["Written in", html === null ? "Markdown" : "HTML"],
          [TITLES.version, <a href={`${pathOf(shown)}/history`}>{post.version}</a>],
          [TITLES.publishedAt, <Time at={post.publishedAt} />],
          [TITLES.updatedAt, post.updatedAt],
          [
            links.length === 1 ? "Preview link" : "Preview links",
            links.length > 0 && <Links of={shown} links={links} />,
          ],
        ]}
      />
    </>,
  );
}

interface PostActionsProps {
  readonly shown: BlogPost;
  readonly url: string;
  /** Whether readers see it: a published post may be scheduled. */
  readonly isVisible: boolean;
}

function PostActions({ shown, url, isVisible }: PostActionsProps) {
  const { status, version } = shown.post;
  const isPublished = status === "published";
  const path = pathOf(shown);
  return (
    <>
      <FormLink to={`${path}/edit`} label="Edit" />
      {isVisible && <ButtonLink to={url} variant="quiet" label="Open the post" />}
      <Action
        to={`${path}/status`}
        label={isPublished ? "Unpublish" : "Publish"}
        fields={{ status: isPublished ? "draft" : "published", version: String(version) }}
      />
      {!isVisible && <Action to={`${path}/preview-links`} label="Create preview link" />}
      <ButtonLink to={`${path}/delete`} variant="danger" label="Delete" />
    </>
  );
}

/** The preview links that work, the last one first; nobody can see their addresses again. */
function Links({ of, links }: { readonly of: BlogPost; readonly links: readonly { readonly expiresAt: Date }[] }) {
  const isOne = links.length === 1;
  return (
    <>
      {!isOne && `${links.length}, the last one `}until <Time at={links[0]?.expiresAt ?? null} />{" "}
      <Action to={`${pathOf(of)}/revoke-links`} label={isOne ? "Revoke" : "Revoke all"} />
    </>
  );
}

async function revokeLinks(context: DashboardContext): Promise<string> {
  await write(context, (records) => revokePreviewLinks(records, namesOf(context)));
  return `${pathOf(await findPost(context))}?notice=links-revoked`;
}

async function setStatus(context: DashboardContext): Promise<string> {
  const { values } = await readForm(context);
  const status = values["status"] === "published" ? "published" : "draft";
  const change = { ...namesOf(context), patch: { status }, preconditions: versionOf(values) } as const;
  const changed = await write(context, (records) => patchPost(records, change));
  const isVisible = isPublic(changed.post, context.var.records.now);
  const published = isVisible ? "post-published" : "post-scheduled";
  return `${pathOf(changed)}?notice=${status === "published" ? published : "post-unpublished"}`;
}

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
        and stops working when the post is deleted. The post’s page has a button that revokes it.
      </p>
    ),
    label: "Preview link",
    text: url,
    hint: "Copy it now: it isn't stored and can't be shown again.",
    done: { title: "Done", path },
  });
}
