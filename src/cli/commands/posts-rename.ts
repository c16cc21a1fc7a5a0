import { ImprintError } from "../../base/error.ts";
import { findRemembered, entryOfFound } from "../../posts/identity/found-post.ts";
import { slugOfRecord } from "../../posts/identity/identity.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { decideAboutPost, type Decision } from "../posts/decide.ts";
import type { PostsFlags } from "../posts-commands.ts";

export interface RenameArguments {
  /** The slug under which the post was published, or its id at the service. */
  readonly from: string;
  /** Slug of the local post. */
  readonly to: string;
  readonly flags: PostsFlags;
}

/** `imprint posts rename <old> <new>`: a file is a published post under another name, as a person says. */
export async function postsRenameCommand({ from, to, flags }: RenameArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug: to, flags, context }, async (decision) => {
    const { keeper, known, run, desired } = decision;
    const post = findReady(to, decision);
    if (keeper.ledger.entries.has(to)) throw new ImprintError("USAGE", `"${to}" is published already.`);
    const former = findRemembered(from, known);
    if (former === undefined) {
      throw new ImprintError("USAGE", `The blog has no post "${from}".`, {
        hint: "`imprint posts list` shows what it has.",
      });
    }
    const { slug, entry: remembered } = former;
    const isInUse = remembered !== undefined && desired.posts.some((each) => each.slug === slug);
    if (isInUse) throw new ImprintError("USAGE", `"${from}" has a file of its own: ${remembered.file}.`);
    const canPatch = run.api.capabilities.operations.has("posts.patch");
    const entry = entryOfFound(post, former, { canPatch, now: run.posts.clock.now() });
    await keeper.record(new Map([...(remembered === undefined ? [] : [[slug, undefined] as const]), [to, entry]]));
    return `${post.file} is the published post "${from}". Its address in the blog stays.`;
  });
}

export interface NewPostArguments {
  readonly slugs: readonly string[];
  readonly flags: PostsFlags;
}

/** `imprint posts new-post <slug...>`: posts are new, as a person says, though they resemble published ones. */
export async function postsNewPostCommand({ slugs, flags }: NewPostArguments, context: CliContext): Promise<ExitCode> {
  return await decideAboutPost({ slug: slugs.join(" "), flags, context }, async (decision) => {
    const messages: string[] = [];
    for (const slug of slugs) messages.push(await declareNew(slug, decision));
    return messages.join("\n");
  });
}

async function declareNew(slug: string, decision: Decision): Promise<string> {
  const { file } = findReady(slug, decision);
  const change = decision.plan.find(({ name }) => name === slug);
  if (change?.kind !== "create") {
    if (change?.kind !== "blocked" || change.state !== "resembles") {
      const reason = change?.reason ?? "it is not ready";
      throw new ImprintError("USAGE", `"${slug}" is not on hold as a possible rename: ${reason}.`);
    }
    const others = decision.known.posts.flatMap(({ record }) => {
      const isShown = change.places.some((place) => record.id !== undefined && place.includes(record.id));
      return isShown && slugOfRecord(record) === undefined ? (record.id ?? []) : [];
    });
    await decision.keeper.declareNew(slug, others);
  }
  return `${file} is a new post: the next \`imprint posts sync\` sends it.`;
}

function findReady(slug: string, { desired }: Decision) {
  const post = desired.posts.find((each) => each.slug === slug);
  if (post === undefined) throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
  return post;
}
