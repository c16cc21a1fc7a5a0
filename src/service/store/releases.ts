import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { ReleaseRecord } from "../../contract/extension-records.ts";
import { createStatement } from "./database.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { updateRows, selectRows, given, findRow } from "./rows.ts";
import type { Database, Tables } from "./tables.ts";

/** HTML of pages in releases, stored once per hash. */
export interface ContentTable {
  readonly accountId: string;
  readonly hash: string;
  readonly body: Uint8Array;
  /** The library files that it refers to. */
  readonly assetIds: readonly string[];
  readonly hasForms: boolean;
  /** When it was last sent. Content that isn't in a release yet is kept for a while. */
  readonly usedAt: Date;
}

export interface ReleaseTable extends Omit<InMemory<ReleaseRecord>, "live" | "state"> {
  readonly accountId: string;
  /** Identifies the site and preview whose releases follow one another. */
  readonly line: string;
  /** A pruned release no longer exists to clients; its row only holds data that later ones are based on. */
  readonly state: ReleaseRecord["state"] | "pruned";
  /** The order of publishing within the account; `null` if never published. */
  readonly sequence: number | null;
  /** Whether all pages are listed instead of only differences from the parent. */
  readonly whole: boolean;
  /** Counts writes to an open release. */
  readonly revision: number;
}

export interface Release extends Omit<ReleaseTable, "state"> {
  readonly state: ReleaseRecord["state"];
  readonly live: boolean;
}

/** The change of a page in a release; without `contentHash`, the page is removed. */
export interface ReleasePageTable {
  readonly releaseId: string;
  readonly slug: string;
  readonly accountId: string;
  readonly pageId: string;
  readonly title: string;
  readonly description: string | null;
  readonly contentHash: string | null;
  readonly bytes: number;
  /** The version of the page before this change; 0 for a new one. */
  readonly baseVersion: number;
  readonly version: number;
  /** The page itself has yet to be written. */
  readonly pending: boolean;
}

export interface ReleaseAssetTable {
  readonly releaseId: string;
  readonly hash: string;
  readonly accountId: string;
  readonly assetId: string;
  readonly name: string;
}

const IS_LIVE = sql<number>`case when release.state = 'published' and not exists (
  select 1 from release as newer where newer.account_id = release.account_id and newer.line = release.line
  and newer.sequence > release.sequence) then 1 else 0 end`;

function toRelease({ isLive, state, ...row }: ReleaseTable & { readonly isLive: number }): Release {
  if (state === "pruned") throw new Error("Pruned releases can't be read.");
  return { ...row, state, live: Number(isLive) === 1 };
}

export interface ReleaseKey {
  readonly accountId: string;
  readonly id: string;
}

export async function findRelease(database: Database, { accountId, id }: ReleaseKey): Promise<Release | undefined> {
  const row = await selectReleases(database, accountId, {}).where("id", "=", id).executeTakeFirst();
  return row && toRelease(row);
}

export interface Line {
  readonly accountId: string;
  readonly line: string;
}

export async function findLiveRelease(database: Database, { accountId, line }: Line): Promise<Release | undefined> {
  const published = selectRows(database, "release", { accountId, line, state: "published" }).selectAll();
  const row = await published.orderBy("sequence", "desc").limit(1).executeTakeFirst();
  return row && toRelease({ ...row, isLive: 1 });
}

export interface ReleaseFilter {
  readonly siteId?: string | undefined;
  readonly preview?: string | undefined;
  readonly live?: boolean | undefined;
  readonly state?: Release["state"] | undefined;
}

/** Lists releases, searched by author, preview or id. */
export async function listReleases(
  database: Database,
  accountId: string,
  { filter, ...sought }: Sought & { readonly filter: ReleaseFilter },
): Promise<Slice<Release>> {
  const query = selectReleases(database, accountId, filter);
  const { items, next } = await readSought(database, query, { ...sought, columns: ["author", "preview", "id"] });
  return { items: items.map(toRelease), next };
}

function selectReleases(database: Database, accountId: string, { live, ...equal }: ReleaseFilter) {
  const query = selectRows(database, "release", { accountId, ...given(equal) }).where("state", "<>", "pruned");
  const all = query.selectAll().select(IS_LIVE.as("isLive"));
  return live === true ? all.where(sql<boolean>`${IS_LIVE} = 1`) : all;
}

export async function changeRelease(database: Database, { accountId, id }: ReleaseKey, set: Partial<ReleaseTable>) {
  await updateRows(database, "release", { match: { accountId, id }, set });
}

/** Returns the highest sequence number; 0 before the first. */
export async function lastSequence(database: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ readonly last: number | null }>`
    select max(sequence) as last from release where account_id = ${accountId}`.execute(database);
  return rows[0]?.last ?? 0;
}

/** Returns the oldest published release whose pages aren't all written yet. */
export async function findUnsettled(database: Database, accountId: string): Promise<ReleaseKey | undefined> {
  const [row] = await selectUnsettled(database, { accountId });
  return row;
}

const selectUnsettled = createStatement<{ readonly accountId: string }>()((database, parameter) =>
  database
    .selectFrom("release")
    .select(["accountId", "id"])
    .where("accountId", "=", parameter("accountId"))
    .where(sql<boolean>`state = 'published' and settled_at is null`)
    .orderBy("sequence")
    .limit(1),
);

export async function listUnsettled(database: Database): Promise<readonly ReleaseKey[]> {
  const published = selectRows(database, "release", { state: "published", settledAt: null });
  return await published.select(["accountId", "id"]).orderBy("sequence").limit(100).execute();
}

/** Returns the id and name of a file that a release refers to by hash, whether uploaded yet or not. */
export async function findNamedAsset(database: Database, key: { readonly accountId: string; readonly hash: string }) {
  return await findRow(database, "releaseAsset", key);
}

/** Lists the hashes of a release's files that the library doesn't have. */
export async function listMissingAssets(database: Database, releaseId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly hash: string }>`select named.hash from release_asset as named
    where named.release_id = ${releaseId} and not exists (
      select 1 from asset where asset.account_id = named.account_id and asset.id = named.asset_id)
    order by named.hash`.execute(database);
  return rows.map(({ hash }) => hash);
}

export async function listReleaseFiles(
  database: Database,
  releaseId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly Pick<Tables["asset"], "id" | "hash" | "contentType">[]> {
  return await database
    .selectFrom("releaseAsset")
    .innerJoin("asset", "asset.id", "releaseAsset.assetId")
    .select(["asset.id", "releaseAsset.hash", "asset.contentType"])
    .where("releaseAsset.releaseId", "=", releaseId)
    .where("releaseAsset.hash", ">", after)
    .orderBy("releaseAsset.hash")
    .limit(limit)
    .execute();
}

/** Returns the key of the releases that follow each other: those of a site, or of one of its previews. */
export function lineOf({
  siteId,
  preview,
}: {
  readonly siteId?: string | null | undefined;
  readonly preview?: string | null | undefined;
}): string {
  return `${siteId ?? ""} ${preview ?? ""}`;
}
