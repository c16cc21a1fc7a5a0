import { ImprintError, type ErrorCode } from "../../base/error.ts";
import type { PostChange } from "../plan/changes.ts";
import { findDroppedFields } from "./dropped-fields.ts";
import { createPost, isTextless, leftOutHint } from "./create-post.ts";
import { lostFiles, lostLinks, planRepair, waitForPosts, WITHOUT_TEXT } from "../plan/block-post.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { recordRenamed } from "./record-renamed.ts";
import { reportCreatedOver } from "./report-created-over.ts";
import { isReplacedByNew } from "../identity/written-over.ts";
import { findLostLinks } from "./lost-links.ts";
import { changeByPost } from "./change-by-post.ts";
import { filesOf, findLostFiles } from "../identity/found-post.ts";
import { sentVersionOf } from "../identity/fingerprint.ts";
import { checkUnshown, findAwaitedPosts, findUnshownPosts, rememberShown } from "./shown-posts.ts";
import { probeEdits, withholdEdits, type Probed } from "./probe-upsert.ts";
import { isAwaited } from "../identity/completeness.ts";
import { createPostsSession, stopIfAborted, type PostsContext, type PostsSession } from "./session.ts";
import { awaitOwnPosts, createListWatch, type ListWatch } from "./list-watch.ts";
import { attempt, type Outcome } from "../../base/outcome.ts";

type Create = Extract<PostChange, { kind: "create" }>;
type Change = Exclude<PostChange, Create>;

/**
 * Applies the plan for posts: records what the blog already has, sends edits where the service accepts them, and
 * creates new posts strictly one at a time, recording each before sending it and after confirming it. The blog is
 * listed again right before each creation, since another run may have published in the meantime.
 */
export async function applyPosts(changes: readonly PostChange[], context: PostsContext): Promise<void> {
  const { repository, known } = context;
  if (repository.ledger.entries.size === 0 && known.posts.length > 0) await repository.learn({ foundPosts: true });
  await rememberFound(changes, context);
  await repository.hold(
    new Map(
      changes.flatMap((change) =>
        change.kind === "blocked" && change.formers !== undefined ? [[change.name, change.formers]] : [],
      ),
    ),
  );
  const creations = changes.filter((change) => change.kind === "create");
  const others = changes.filter((change) => change.kind !== "create");
  for (const change of others) if (!isWrite(change)) await applyChange(change, context);
  try {
    if (creations.length > 0) await applyCreations(creations, context);
    // After the new posts, because an edit may link to one of them.
    for (const change of others) if (isWrite(change)) await applyChange(change, context);
  } finally {
    await repository.compact();
  }
}

/**
 * Applies the plan, and tries whether the service updates a post that is sent again. If it does, the other edits are
 * sent, too.
 */
export async function applyAndProbe(changes: readonly PostChange[], context: PostsContext): Promise<Probed> {
  const { repository, onOutcome } = context;
  const withheld = withholdEdits(changes, onOutcome);
  let probed: Probed = { result: undefined, edits: [] };
  try {
    await applyPosts(changes, { ...context, onOutcome: withheld.onOutcome });
    probed = await probeEdits(withheld.names(), context);
  } finally {
    withheld.reportAllBut(probed.edits);
  }
  for (const edit of probed.edits) {
    if (edit.name !== probed.result?.name) await applyChange(edit, context);
    else onOutcome({ ...summary(edit), status: "done", url: repository.ledger.entries.get(edit.name)?.url });
  }
  return probed;
}

function isWrite({ kind }: Change): boolean {
  return kind === "update" || kind === "delete";
}

/** Records everything that the blog already has, in one write. */
async function rememberFound(changes: readonly PostChange[], { repository }: PostsContext): Promise<void> {
  const forgotten = new Map<string, undefined>();
  const entries = new Map<string, PostEntry>();
  for (const change of changes) {
    const found = foundIn(change);
    if (found === undefined) continue;
    if (found.formerSlug !== undefined) forgotten.set(found.formerSlug, undefined);
    entries.set(found.name, found.entry);
    const intent = repository.ledger.open.get(change.name);
    if (intent === undefined || change.kind !== "keep" || change.known === undefined) continue;
    await repository.confirm(intent.id, change.name, change.entry);
  }
  const names = new Map([...entries].flatMap(([name, { id }]) => (id === undefined ? [] : [[id, name]])));
  for (const [name, { id = "" }] of repository.ledger.entries) {
    if (names.has(id) && names.get(id) !== name) forgotten.set(name, undefined);
  }
  // When two files swapped names, each forgets the name that the other now has.
  await repository.record(new Map([...forgotten, ...entries]));
}

interface FoundEntry {
  /** Name to remember it under. */
  readonly name: string;
  readonly entry: PostEntry;
  readonly formerSlug?: string | undefined;
}

function foundIn(change: PostChange): FoundEntry | undefined {
  const { name } = change;
  if (change.kind === "keep") return change;
  if (change.kind === "blocked" && change.seen !== undefined) return { name, ...change.seen };
  // Keyed by id, since a file may have its slug.
  if (change.kind !== "orphan" || change.found?.id === undefined) return undefined;
  return { name: change.found.id, entry: change.found };
}

async function applyChange(change: Change, context: PostsContext): Promise<void> {
  const { onOutcome } = context;
  switch (change.kind) {
    case "keep": {
      const repair = await findRepair(change, context);
      if (repair !== undefined) return applyChange(repair, context);
      const { post, entry, known } = change;
      const isUnshown = post !== undefined && isAwaited(entry) && entry.state !== "acknowledged";
      const error = isUnshown ? await checkUnshown({ post, entry, known }, context) : undefined;
      if (error !== undefined) return onOutcome({ ...summary(change), status: "failed", url: entry.url, error });
      return onOutcome({ ...summary(change), status: "done", url: change.known?.record.url });
    }
    case "wait":
      return onOutcome({ ...summary(change), status: "skipped" });
    case "orphan":
      return onOutcome({ ...summary(change), status: "skipped", url: change.url });
    case "blocked":
      if (change.state !== "duplicate") return onOutcome({ ...summary(change), status: "skipped" });
      return onOutcome({ ...summary(change), status: "failed", error: duplicateError(change) });
    case "update": {
      const missing = change.state === "edited" ? context.addresses.missing(change.post) : [];
      const waits = missing.filter((slug) => !context.repository.ledger.entries.has(slug));
      if (waits.length > 0 && change.state === "edited") {
        return onOutcome({ ...summary(waitForPosts(change.post, waits)), status: "skipped" });
      }
      return onOutcome(await attempt(summary(change), () => update(change, context)));
    }
    case "delete":
      return onOutcome(await attempt(summary(change), () => remove(change, context)));
  }
}

/** Returns a change that repairs a post that nobody edited but that readers no longer get in full. */
async function findRepair(
  { state, post, known, ...found }: Extract<Change, { kind: "keep" }>,
  { api, addressOf, addresses, repository, deletedPages: deleted }: PostsContext,
): Promise<Change | undefined> {
  if (state !== "unchanged" || post === undefined || known === undefined) return undefined;
  const match = { ...found, post, known };
  // A file missing from the library has been uploaded again by now, maybe to another address.
  const files = findLostFiles(post, found.entry, addressOf);
  if (files.length > 0) return planRepair(match, lostFiles(files, api));
  const { visit, baseUrl } = api;
  const links = await findLostLinks(match, { visit, baseUrl, addressOf, deleted, addresses });
  const { name, entry } = match;
  if (links.length + (entry.deadLinks?.length ?? 0) > 0) {
    await repository.record(new Map([[name, { ...entry, deadLinks: links.length === 0 ? undefined : [...links] }]]));
  }
  return links.length === 0 ? undefined : planRepair(match, lostLinks(links, { ...api, deleted }));
}

function duplicateError({ file, reason, hint }: Change): ImprintError {
  return new ImprintError("POST_DUPLICATE", `${file}: ${reason}.`, { hint });
}

// Doesn't take the signal: a request in flight when a run is interrupted is finished and recorded.
async function update(change: Extract<Change, { kind: "update" }>, context: PostsContext) {
  const { api, blogId, repository } = context;
  const { record } = change.known;
  const remoteSlug = record.slug ?? change.entry.remoteSlug ?? change.name;
  if (change.state === "withdrawn") {
    const { contentHash } = await api.posts.update(blogId, remoteSlug, { status: "draft" });
    await repository.record(new Map([[change.name, { ...change.entry, contentHash, withdrawn: true }]]));
    return { url: record.url };
  }
  if (change.by === "post") return await changeByPost(change, context);
  const { slug: _, ...fields } = await context.payload(change.post);
  const { contentHash, url = record.url } = await api.posts.update(blogId, remoteSlug, fields);
  const { withdrawn: _withdrawn, seen: _seen, shown: _shown, deadLinks: _deadLinks, ...before } = change.entry;
  const entry: PostEntry = {
    ...before,
    ...sentVersionOf(change.post),
    ...filesOf(change.post, context.addressOf),
    contentHash,
    state: "confirmed",
  };
  await recordRenamed(repository, [change.name, entry], change.formerSlug);
  return { url, bytes: Buffer.byteLength(fields.html ?? fields.markdown ?? "") };
}

async function remove(change: Extract<Change, { kind: "delete" }>, { api, blogId, repository }: PostsContext) {
  const slug = change.known.record.slug ?? change.entry.remoteSlug ?? change.name;
  await api.posts.delete(blogId, slug);
  await repository.record(new Map([[change.name, undefined]]));
  return {};
}

// With many posts to create, the list isn't read before each one, nor more often the longer the list is.
const EVERY_TIME_BELOW = 25;
const READ_EVERY = 10;
const MOST_READS = 50;

async function applyCreations(creations: readonly Create[], context: PostsContext): Promise<void> {
  const { onOutcome, repository, signal } = context;
  const session = createPostsSession(context);
  const readEvery = Math.max(READ_EVERY, Math.ceil(creations.length / MOST_READS));
  const watch = createListWatch({ ...context, session, looksEvery: readEvery });
  for (const [index, change] of creations.entries()) {
    const reason = watch.stopReason;
    if (reason !== undefined) {
      onOutcome({ ...summary(change), kind: "blocked", reason, status: "skipped" });
      continue;
    }
    stopIfAborted(signal);
    const rest = creations.length - index;
    const reads = rest <= EVERY_TIME_BELOW || index % readEvery === 0;
    if (change.absent !== undefined) await repository.settle(change.absent.id, "absent");
    await applyCreation(change, { ...context, session, watch, reads });
  }
  if (watch.created === 0) return;
  await awaitOwnPosts({ ...context, session }, watch);
  await rememberShown(
    creations.map(({ name }) => name),
    { ...context, session },
  );
  await reportUnshown(creations, { ...context, session, watch });
  const dropped = findDroppedFields(
    creations.map(({ post }) => post),
    { ...context, session },
  );
  if (dropped !== undefined) onOutcome(dropped);
  reportDuplicates(creations, { context, session });
}

interface CreationPlace extends PostsContext {
  readonly session: PostsSession;
  readonly watch: ListWatch;
  readonly reads: boolean;
}

const INCOMPLETE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ASSET_MISSING", "POST_PAGE_MISSING"]);

async function applyCreation(change: Create, context: CreationPlace): Promise<void> {
  const { onOutcome, watch, addresses } = context;
  const missing = addresses.missing(change.post);
  const waits = missing.filter((slug) => !change.linksAhead?.includes(slug));
  if (waits.length > 0) {
    return onOutcome({ ...summary(waitForPosts(change.post, waits)), status: "skipped" });
  }
  const leftOut = missing.filter((slug) => addresses.guess(slug) === undefined);
  let creation: Awaited<ReturnType<typeof createPost>>;
  try {
    creation = await createPost(change.post, { ...context, resumes: change.absent?.id });
  } catch (error) {
    if (!(error instanceof ImprintError) || !INCOMPLETE.has(error.code)) throw error;
    return onOutcome({ ...summary(change), status: "failed", error });
  }
  switch (creation.kind) {
    case "changed":
      if (creation.change === undefined || creation.change.kind === "create") return;
      await rememberFound([creation.change], context);
      return applyChange(creation.change, context);
    case "failed":
      if (creation.endsRun) watch.stop(`the service rejected ${change.name}, and would also reject this one`);
      return onOutcome({ ...summary(change), status: "failed", error: creation.error });
    case "over":
      return reportCreatedOver({ ...summary(change), post: change.post, over: creation.over }, context);
    case "created": {
      const { entry, bytes } = creation;
      const unwritten = entry.id === undefined ? undefined : await context.writeId?.(change.post, entry.id);
      const hint = creation.hint ?? leftOutHint(leftOut) ?? unwritten;
      onOutcome({ ...summary(change), status: "done", url: entry.url, bytes, hint });
      if (isAwaited(entry)) watch.awaited.add(change.name);
      await watch.afterCreation();
      return reportTextless(change, entry, context);
    }
  }
}

// The first post is sent alone, and no other follows if its text was lost.
async function reportTextless(change: Create, entry: PostEntry, context: CreationPlace): Promise<void> {
  const { api, repository, watch, onOutcome } = context;
  const isKnown = api.dialect.postBody !== undefined || watch.created > 1;
  if (isKnown || !(await isTextless(change.post, entry, context))) return;
  await repository.record(new Map([[change.name, { ...entry, textless: true }]]));
  watch.stop(`the service accepted ${change.name}, but shows it without its text`);
  const message = `${change.file} was published, but the service shows it without its text.`;
  const error = new ImprintError("NOT_LIVE", message, { hint: WITHOUT_TEXT });
  onOutcome({ ...summary(change), status: "failed", url: entry.url, error });
}

async function reportUnshown(
  creations: readonly Create[],
  context: PostsContext & Pick<CreationPlace, "session" | "watch">,
): Promise<void> {
  const { ledger } = context.repository;
  const posts = creations.flatMap(({ post }) => (isReplacedByNew(post, ledger) ? [] : [post]));
  const { awaited = [], shown = [] } = Object.groupBy(posts, ({ slug }) =>
    context.watch.awaited.has(slug) ? "awaited" : "shown",
  );
  const errors = new Map([...(await findUnshownPosts(shown, context)), ...(await findAwaitedPosts(awaited, context))]);
  for (const change of creations) {
    const error = errors.get(change.name);
    const url = context.repository.ledger.entries.get(change.name)?.url;
    if (error !== undefined) context.onOutcome({ ...summary(change), status: "failed", url, error });
  }
}

// Another runner may have published the same post at the same time.
function reportDuplicates(
  creations: readonly Create[],
  { context, session }: { readonly context: PostsContext; readonly session: PostsSession },
): void {
  for (const { name } of creations) {
    const change = session.planned(name);
    if (change?.kind !== "blocked" || change.state !== "duplicate") continue;
    context.onOutcome({ ...summary(change), status: "failed", error: duplicateError(change) });
  }
}

function summary(change: PostChange) {
  const { kind, name, reason, hint } = change;
  return {
    resource: "post",
    kind,
    name,
    reason,
    hint,
    ...(change.kind === "blocked" && change.counts !== undefined ? { counts: change.counts } : {}),
  } as const satisfies Partial<Outcome>;
}
