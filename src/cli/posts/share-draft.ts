import { ImprintError } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { PreviewLink } from "../../client/account-api.ts";
import type { SitePost } from "../../site/model.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import { planPostsScene } from "./plan-posts-scene.ts";
import { sendOnePost } from "./repost.ts";
import { readPostsFolder, withPosts, type PostsRequest, type PostsScene } from "./sync-posts.ts";

export interface DraftToShare {
  readonly slug: string;
  /** Default: 7. */
  readonly expiresInDays?: number | undefined;
}

/**
 * Sends a draft, or a post that waits for its date, to the service as a draft, and makes a link that shows it to whoever
 * has the link. A draft that was sent before gets the present text. Readers of the blog see nothing of it; when the post
 * is due, the next sync publishes that same draft.
 *
 * @throws ImprintError `NOT_SUPPORTED` where the service has no preview links, `USAGE` for a post that isn't held back
 *   or that the service shows already
 */
export async function shareDraft(request: PostsRequest, { slug, expiresInDays }: DraftToShare): Promise<PreviewLink> {
  return await withPosts(request, async (scene) => {
    const { api } = scene;
    if (!api.capabilities.operations.has("previewLinks.create")) {
      throw new ImprintError("NOT_SUPPORTED", `${api.baseUrl} has no preview links.`, {
        hint: "Look at drafts on this machine with `imprint posts check --watch`.",
      });
    }
    const draft = await readDraft(scene, slug);
    const wider = withoutHeld(scene, slug);
    const blogId = await checkDraft(draft, wider);
    const entry = await sendOnePost(draft, { scene: wider, blogId });
    return await api.posts.createPreviewLink(blogId, { slug: entry.remoteSlug ?? slug, expiresInDays });
  });
}

async function readDraft({ request, local }: PostsScene, slug: string): Promise<SitePost> {
  const { local: everything } = await readPostsFolder(request, "everything");
  const post = everything.posts.find((each) => each.slug === slug);
  if (post === undefined) {
    const reason = local.held.some((held) => held.slug === slug) ? "its file has problems" : "there is no such post";
    throw refusal(slug, reason, "Run `imprint posts check`.");
  }
  if (!local.held.some((held) => held.slug === slug)) {
    throw refusal(slug, "it is ready to be published", "Run `imprint posts sync`.");
  }
  const { settlesAt: _, ...draft } = post;
  // Differs from the post's own hash, so that publishing the post later counts as an edit of what was sent here, also
  // where only the marker in the sent HTML remembers it.
  return { ...draft, status: "draft", sourceHash: sha256(`draft\n${post.sourceHash}`) };
}

function withoutHeld(scene: PostsScene, slug: string): PostsScene {
  const held = scene.local.held.filter((each) => each.slug !== slug);
  return {
    ...scene,
    local: { ...scene.local, held },
    blog: scene.blog && { ...scene.blog, held },
    placed: { ...scene.placed, posts: scene.placed.posts.filter((post) => post.slug !== slug), pages: [] },
  };
}

/** The id of the blog; throws where sending the draft would change what readers see. */
async function checkDraft(draft: SitePost, scene: PostsScene): Promise<string> {
  const { slug } = draft;
  const { placed } = scene;
  const run = await planPostsScene({ ...scene, placed: { ...placed, posts: [...placed.posts, draft] } });
  const change = run.plan.posts.find(({ name }) => name === slug);
  const blogId = run.known.blog?.id;
  if (blogId === undefined || change === undefined) {
    throw refusal(slug, "the blog doesn't exist yet", "Run `imprint posts sync`, which creates it.");
  }
  if (change.kind === "blocked") throw refusal(slug, change.reason, change.hint);
  if (change.kind !== "create" && !isHiddenThere(change)) {
    throw refusal(slug, "the service shows a post under this slug to readers", "Run `imprint posts plan`.");
  }
  return blogId;
}

function isHiddenThere(change: PostChange): boolean {
  return (change.kind === "keep" || change.kind === "update") && change.known?.record.status === "draft";
}

function refusal(slug: string, reason: string, hint: string | undefined): ImprintError {
  return new ImprintError("USAGE", `No preview link was created for "${slug}": ${reason}.`, { hint });
}
