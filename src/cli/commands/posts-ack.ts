import { ImprintError } from "../../base/error.ts";
import { sentVersionOf } from "../../posts/identity/fingerprint.ts";
import { findMatches, indexPosts } from "../../posts/identity/identity.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { postUid } from "../../posts/identity/marker.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { decideAboutPost } from "../posts/decide.ts";
import type { SlugArguments } from "../posts-commands.ts";

/** `imprint posts ack <slug>`: the blog has the present version, as a person says. */
export async function postsAckCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug, flags, context }, async ({ keeper, run, desired, known, plan, collection }) => {
    const post = desired.posts.find((each) => each.slug === slug);
    const change = plan.find(({ name }) => name === slug);
    if (post === undefined || change === undefined) {
      throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
    }
    if (change.kind === "keep") return `${post.file} is up to date already.`;
    if (change.kind === "update") {
      throw new ImprintError("USAGE", `This service takes edits: ${post.file} would no longer be sent to readers.`, {
        hint: "Run `imprint posts sync` to publish the edit.",
      });
    }
    const former = [...keeper.ledger.entries].find(([name, { file }]) => name !== slug && file === post.file);
    const entry = keeper.ledger.entries.get(slug) ?? former?.[1];
    const uid = postUid({ collection, slug });
    const identity = { slug: former?.[0] ?? slug, uid, canonicalUrl: post.canonicalUrl, entry };
    const [match] = findMatches(identity, indexPosts(known.posts));
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
      createdAt: entry?.createdAt ?? run.posts.clock.now().toISOString(),
    };
    await keeper.record(
      new Map([...(former === undefined ? [] : [[former[0], undefined] as const]), [slug, acknowledged]]),
    );
    return `${post.file} counts as published as it is now.`;
  });
}

/** `imprint posts restore <slug>`: forgets a post that was removed, so that it is new again. */
export async function postsRestoreCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug, flags, context }, async ({ keeper, known }) => {
    if (!keeper.ledger.entries.has(slug)) throw new ImprintError("USAGE", `"${slug}" was never published from here.`);
    if (!known.gone.has(slug)) {
      throw new ImprintError(
        "USAGE",
        `"${slug}" can't be shown to be removed at the service, so that it stays as it is.`,
      );
    }
    await keeper.record(new Map([[slug, undefined]]));
    return `${slug} is published again by the next \`imprint posts sync\`.`;
  });
}
