import { checkScope, type Credential } from "../../auth/authenticate.ts";
import type { Context } from "../../resources/context.ts";
import { getOpenRelease, outdated, publishRelease } from "../../resources/publish-release.ts";
import { storeContent } from "../../resources/release-content.ts";
import { publishSmallRelease } from "../../resources/publish-small-release.ts";
import { stagePages } from "../../resources/release-pages.ts";
import { diffReleases, getRelease, openRelease, rollBack } from "../../resources/releases.ts";
import { findAccountKey } from "../../store/api-keys.ts";
import { findLiveRelease, listReleases, type Release } from "../../store/releases.ts";
import { findRow } from "../../store/rows.ts";
import type { Handlers } from "../call.ts";
import { windowOf, type Reply } from "../reply.ts";
import { viewRelease } from "../views.ts";
import { listing } from "./rows.ts";

// Releases are written in many short transactions instead of the request's, so that others are served in between.

export const RELEASE_HANDLERS = {
  async "releases.open"({ context, body, credential, write }) {
    if (body.assets.length > 0) checkMayAddFiles(credential);
    const opened = await openRelease(context, body);
    return await write(async () => ({ kind: "json", status: 201, body: opened }), "shared");
  },

  async "releases.publishSmall"({ context, body, credential, write }) {
    const author = await findAuthor(context, credential);
    const { siteId, parent } = body;
    const open = async () => (await openRelease(context, { siteId, parent, assets: [] })).id;
    const { release, pages } = await publishSmallRelease(context, body, { author, open });
    return await write(
      async () => ({ kind: "json", status: 201, body: { release: viewRelease(release), pages } }),
      "shared",
    );
  },

  "releases.list": listing(({ database, accountId }, { query: { siteId, preview, live } }, window) => {
    return listReleases(database, accountId, { filter: { siteId, preview, live }, window });
  }, viewRelease),

  async "releases.get"({ context, target }) {
    return reply(await getRelease(context, target));
  },

  async "releases.putPages"({ context, target, body }) {
    const release = await getOpenRelease(context, target);
    return { kind: "json", status: 200, body: { ...(await stagePages(context, release, body)) } };
  },

  async "releases.putContent"({ context, target, files, routeSet, credential }) {
    const release = await getOpenRelease(context, target);
    if (release.state === "open") checkMayAddFiles(credential);
    const types = routeSet === "a" ? "any" : "images";
    return {
      kind: "json",
      status: 200,
      body: { ...(await storeContent(context, release, { entries: files, types })) },
    };
  },

  async "releases.publish"({ context, target, body, preconditions, credential, write }) {
    const release = await getRelease(context, target);
    await checkTag(context, release, preconditions.tag);
    const { manifest = null, force = false } = body;
    const author = await findAuthor(context, credential);
    const published = await publishRelease(context, target, { manifest, force, author });
    return await write(async () => reply(published), "shared");
  },

  async "releases.diff"({ context, target, query }) {
    const { limit } = windowOf({ limit: query.limit }, context);
    const { against, cursor: after } = query;
    return {
      kind: "json",
      status: 200,
      body: { ...(await diffReleases(context, { id: target, against, after, limit })) },
    };
  },

  async "releases.rollback"({ context, target, body, credential, write }) {
    const author = await findAuthor(context, credential);
    const published = await rollBack(context, { id: target, force: body.force ?? false, author });
    return await write(async () => reply(published), "shared");
  },
} as const satisfies Handlers;

function reply(release: Release): Reply {
  return { kind: "record", status: 200, record: viewRelease(release) };
}

function checkMayAddFiles(credential: Credential | undefined): void {
  if (credential !== undefined) checkScope(credential, "library:write");
}

/** Throws `release_outdated` if `If-Match` names another live release than the one that the release is based on. */
async function checkTag({ database }: Context, release: Release, tag: string | undefined): Promise<void> {
  if (tag === undefined || tag.trim() === "*" || release.state !== "open") return;
  if (tag.trim() !== `"${release.parent ?? ""}"`) throw outdated(await findLiveRelease(database, release));
}

/** Returns the display name of the caller. */
async function findAuthor(
  { database, accountId }: Context,
  credential: Credential | undefined,
): Promise<string | null> {
  if (credential === undefined) return null;
  const { kind, keyId: id } = credential;
  if (kind === "key") return (await findAccountKey(database, { accountId, id }))?.name ?? null;
  return (await findRow(database, "oauthGrant", { accountId, id }))?.clientName ?? null;
}
