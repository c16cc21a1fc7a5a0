import {
  addAssetUses,
  findStoredText,
  forgetUnreadText,
  listAssetUsers,
  listUnreadTexts,
  recordAssetUses,
  type AssetUser,
  type StoredText,
  type UnreadText,
} from "../store/asset-uses.ts";
import type { Blobs } from "../store/blobs.ts";
import { listReleaseFiles } from "../store/releases.ts";
import type { Database } from "../store/tables.ts";
import { writeTransaction } from "../store/transactions.ts";
import { inSlices, type Context } from "./context.ts";
import { isTextType } from "./file-type.ts";
import { ProblemError } from "../http/problem.ts";

/** Records the library files that a record's texts refer to. */
export async function recordTextUses(
  { database, accountId }: Context,
  user: UnreadText,
  texts: readonly (string | null)[],
) {
  await recordAssetUses(database, { ...user, accountId }, findAssetIds(texts));
}

/** Returns a file user's name: `about`, `news/first`, `Acme`. */
export function nameOfUser(user: AssetUser): string {
  if (user.kind === "post") return `${user.blogSlug}/${user.slug}`;
  return user.kind === "page" || user.kind === "blog" ? user.slug : user.title;
}

const KIND_WORDS: Readonly<Record<AssetUser["kind"], string>> = {
  page: "page",
  post: "post",
  blog: "blog",
  "brand-kit": "brand kit",
  file: "file",
};

const MAX_NAMED = 5;

/** Throws `asset_in_use`, with the names of all users of the file. */
export async function refuseWhenUsed(
  { database }: Context,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const users = await listAssetUsers(database, id);
  if (users.length === 0) return;
  const named = users.slice(0, MAX_NAMED).map((user) => `${KIND_WORDS[user.kind]} ${nameOfUser(user)}`);
  const more = users.length - named.length;
  throw new ProblemError("asset_in_use", {
    detail: `${name} is used by ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    members: {
      usedBy: users.map(nameOfUser),
      users: users.map((user) => ({ kind: user.kind, id: user.id, name: nameOfUser(user), title: user.title })),
    },
  });
}

const BATCH = 20;

/**
 * Records the file uses of records written before uses were tracked. Not in a transaction, since it reads library
 * files.
 */
export async function readUnreadTexts(
  { database, blobs }: { readonly database: Database; readonly blobs: Blobs },
  closing?: AbortSignal,
): Promise<void> {
  for (;;) {
    closing?.throwIfAborted();
    const unread = await listUnreadTexts(database, BATCH);
    if (unread.length === 0) return;
    const files = await readFiles(unread, { database, blobs });
    await writeTransaction(database, async (transaction) => {
      for (const [index, record] of unread.entries()) {
        const stored = await findStoredText(transaction, record);
        if (stored !== undefined) {
          const texts = "texts" in stored ? stored.texts : [files[index] ?? null];
          await addAssetUses(transaction, { ...record, accountId: stored.accountId }, findAssetIds(texts));
        }
        await forgetUnreadText(transaction, record);
      }
    });
  }
}

const FILES_AT_ONCE = 200;

/** Records the files that a release's text files refer to, as some were uploaded before the files they refer to. */
export async function readReleaseFiles(context: Context, releaseId: string): Promise<void> {
  const { database, blobs, accountId } = context;
  for (let after = ""; ;) {
    const files = await listReleaseFiles(database, releaseId, { after, limit: FILES_AT_ONCE });
    const named: (readonly [id: string, assetIds: readonly string[]])[] = [];
    for (const { id, ...file } of files) {
      const text = await readText({ accountId, file }, blobs);
      if (text !== undefined) named.push([id, findAssetIds([text])]);
    }
    await inSlices(context, named, async (transaction, [id, assetIds]) => {
      await addAssetUses(transaction.database, { kind: "file", id, accountId }, assetIds);
    });
    const last = files.at(-1);
    if (last === undefined) return;
    after = last.hash;
  }
}

/** Reads the content of those records that are files, at the same indexes. */
async function readFiles(
  unread: readonly UnreadText[],
  { database, blobs }: { readonly database: Database; readonly blobs: Blobs },
): Promise<readonly (string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  for (const record of unread) {
    const stored = record.kind === "file" ? await findStoredText(database, record) : undefined;
    texts.push(stored && (await readText(stored, blobs)));
  }
  return texts;
}

async function readText(stored: StoredText, blobs: Blobs): Promise<string | undefined> {
  if (!("file" in stored) || !isTextType(stored.file.contentType)) return undefined;
  // An unreadable file (missing from a restored folder) refers to nothing that readers could load.
  const bytes = await blobs.read(stored.file.hash).catch(() => undefined);
  return bytes && Buffer.from(bytes).toString();
}

// An id has 128 random bits, so it can't be part of a longer word by accident. Wherever an asset's URL occurs in a text
// (attribute, style, script, JSON, Markdown), absolute or relative, finding its id is enough. Only its underscore may
// be encoded: by percent-encoding, as a character reference, or escaped in a script, style or Markdown.
const ASSET_ID =
  /as(?:_|%(?:25)*5[Ff]|&(?:amp;)*(?:#0*95|#[xX]0*5[fF]|lowbar);|\\+u005[fF]|\\+x5[fF]|\\0*5[fF] ?|\\+_)([0-9A-Za-z]{22})/g;

export function findAssetIds(texts: readonly (string | null)[]): readonly string[] {
  const ids = new Set<string>();
  for (const text of texts) {
    for (const [, rest] of text?.matchAll(ASSET_ID) ?? []) ids.add(`as_${rest}`);
  }
  return [...ids];
}
