import { postUrl } from "../../../resources/addresses.ts";
import { getPost, patchPost, type BlogPost } from "../../../resources/posts.ts";
import { renderWholePost } from "../../../visitors/blog-post.ts";
import { readForm, versionOf } from "../../forms.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { Action } from "../../parts/forms.tsx";
import { PreviewFrame } from "../../parts/preview.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import { answerPreview } from "../../preview-answer.ts";
import { write, type DashboardApp, type DashboardContext } from "../../scene.ts";
import { PageState } from "../pages/state.tsx";
import { postPath } from "./paths.ts";

/** One post as readers see it, and whether they see it. */
export function registerPostView(app: DashboardApp): void {
  app.get("/blogs/:blog/posts/:slug", showPost);

  app.get("/blogs/:blog/posts/:slug/preview", async (context) => {
    const { core } = context.var.scene;
    const shown = await getPost(context.var.scene.records, namesOf(context));
    const url = postUrl(core.addresses, { blogSlug: shown.blog.slug, slug: shown.post.slug });
    return answerPreview(await renderWholePost(core, shown), url);
  });

  app.post("/blogs/:blog/posts/:slug/status", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const status = values["status"] === "published" ? "published" : "draft";
    const change = { ...namesOf(context), patch: { status }, preconditions: versionOf(values) } as const;
    const changed = await write(scene, (records) => patchPost(records, change));
    const notice = status === "published" ? "post-published" : "post-unpublished";
    return context.redirect(`${postPath(changed)}?notice=${notice}`, 303);
  });
}

/** Which post an address names. */
export function namesOf({ req }: DashboardContext): { readonly blogName: string; readonly slug: string } {
  return { blogName: req.param("blog") ?? "", slug: req.param("slug") ?? "" };
}

async function showPost(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const shown = await getPost(scene.records, namesOf(context));
  const { blog, post } = shown;
  const url = postUrl(scene.records.addresses, { blogSlug: blog.slug, slug: post.slug });
  return renderShell(
    scene,
    {
      title: post.title,
      section: "/blogs",
      parent: { title: blog.name, path: `/blogs/${blog.slug}` },
      notice: context.req.query("notice"),
      actions: <PostActions shown={shown} url={url} />,
    },
    <>
      <PreviewFrame path={`${postPath(shown)}/preview`} title={post.title} />
      <PostFacts shown={shown} />
    </>,
  );
}

function PostActions({ shown, url }: { readonly shown: BlogPost; readonly url: string }) {
  const { post } = shown;
  const isPublished = post.status === "published";
  return (
    <>
      <a class="button" href={`${postPath(shown)}/edit`}>
        Edit
      </a>
      {isPublished && (
        <a class="button quiet" href={url}>
          Open the post
        </a>
      )}
      <Action
        to={`${postPath(shown)}/status`}
        label={isPublished ? "Unpublish" : "Publish"}
        fields={{ status: isPublished ? "draft" : "published", version: String(post.version) }}
      />
      {!isPublished && <Action to={`${postPath(shown)}/preview-links`} label="Create preview link" />}
      <DangerLink to={`${postPath(shown)}/delete`} label="Delete" />
    </>
  );
}

function PostFacts({ shown: { post } }: { readonly shown: BlogPost }) {
  const rows: readonly (readonly [string, string | null])[] = [
    ["Excerpt", post.excerpt],
    ["Author", post.author],
    ["Tags", post.tags.length === 0 ? null : post.tags.join(", ")],
    ["Cover image", post.coverImage],
    ["Original address", post.canonicalUrl],
    ["Written in", post.html === null ? "Markdown" : "HTML"],
    ["Version", String(post.version)],
  ];
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <PageState page={post} />
      </dd>
      {rows.map(
        ([name, text]) =>
          text !== null && (
            <>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </>
          ),
      )}
      <dt>Published</dt>
      <dd>
        <Time at={post.publishedAt} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={post.updatedAt} />
      </dd>
    </dl>
  );
}
