import { ImprintError } from "../../base/error.ts";
import { withPosts } from "../../flow/sync-posts.ts";
import type { PostsScene } from "../../flow/sync-posts.ts";
import type { DesiredBlog } from "../../sync/desired.ts";
import { knowBlog } from "../../sync/posts/know-blog.ts";
import { openPostKeeper } from "../../sync/posts/keeper.ts";
import type { PostKeeper } from "../../sync/posts/keeper.ts";
import type { PostEntry } from "../../sync/posts/ledger.ts";
import { sentVersionOf } from "../../sync/posts/fingerprint.ts";
import { findMatches } from "../../sync/posts/identity.ts";
import { postUid } from "../../sync/posts/marker.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "../posts/open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";

/** `imprint posts ack <slug>`: the blog has the present version, as a person says. */
export async function postsAckCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  return await decide({ slug, flags, context }, async ({ keeper, scene, blog, known }) => {
    const post = scene.placed.posts.find((each) => each.slug === slug);
    if (post === undefined)
      throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
    const former = [...keeper.ledger.entries].find(([name, { file }]) => name !== slug && file === post.file);
    const entry = keeper.ledger.entries.get(slug) ?? former?.[1];
    const uid = postUid({ collection: blog.collection, slug });
    const identity = { slug: former?.[0] ?? slug, uid, canonicalUrl: post.canonicalUrl, entry };
    const [match] = findMatches(identity, known?.posts ?? []);
    if (match === undefined) {
      throw new ImprintError("USAGE", `The blog has no post "${slug}".`, {
        hint: "`imprint posts list` shows what it has.",
      });
    }
    const { id, url, slug: remoteSlug = former?.[0], contentHash } = match.record;
    const acknowledged: PostEntry = {
      ...{ id, url, contentHash, file: post.file, ...sentVersionOf(post), state: "acknowledged" },
      ...(remoteSlug === undefined || remoteSlug === slug ? {} : { remoteSlug }),
      ...(entry?.replaces === undefined ? {} : { replaces: entry.replaces }),
      createdAt: entry?.createdAt ?? scene.port.clock.now().toISOString(),
    };
    await keeper.record(
      new Map([...(former === undefined ? [] : [[former[0], undefined] as const]), [slug, acknowledged]]),
    );
    return `${post.file} counts as published as it is now.`;
  });
}

/** `imprint posts restore <slug>`: forgets a post that was removed, so that it is new again. */
export async function postsRestoreCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  return await decide({ slug, flags, context }, async ({ keeper, known }) => {
    if (!keeper.ledger.entries.has(slug)) throw new ImprintError("USAGE", `"${slug}" was never published from here.`);
    if (known?.gone.has(slug) !== true) {
      throw new ImprintError(
        "USAGE",
        `"${slug}" can't be shown to be removed at the service, so that it stays as it is.`,
      );
    }
    await keeper.record(new Map([[slug, undefined]]));
    return `${slug} is published again by the next \`imprint posts sync\`.`;
  });
}

interface Decision {
  readonly keeper: PostKeeper;
  readonly scene: PostsScene;
  readonly blog: DesiredBlog;
  readonly known: Awaited<ReturnType<typeof knowBlog>>["posts"];
}

async function decide(
  { slug, flags, context }: SlugArguments & { readonly context: CliContext },
  work: (decision: Decision) => Promise<string>,
): Promise<ExitCode> {
  const message = await withPostsTarget({ flags, context }, (request) =>
    withPosts(request, async (scene) => {
      const { api, state, port, blog, placed } = scene;
      if (blog === undefined) throw new ImprintError("USAGE", '`posts.target` is "pages", so that there is no blog.');
      const { blog: found, posts: known } = await knowBlog(
        { blog, posts: placed.posts },
        { api, state, owner: scene.owner, port },
      );
      if (found === undefined) throw new ImprintError("USAGE", `There is no blog yet that "${slug}" could be in.`);
      return await work({ keeper: await openPostKeeper(port.store, found.id), scene, blog, known });
    }),
  );
  context.out.write(`${message}\n`);
  return 0;
}
