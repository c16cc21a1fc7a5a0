import { readFile } from "node:fs/promises";
import { isFile, sizeOf, type Bytes } from "../../base/bytes.ts";
import { sha256 } from "../../base/hash.ts";
import { attempt, type Outcome } from "../../base/outcome.ts";
import { mapPool } from "../../base/pool.ts";
import type { OpenedRelease } from "../../client/records/release-records.ts";
import type { ApplyContext } from "../apply.ts";
import {
  applyAssets,
  isReady,
  knownAddresses,
  prepareUpload,
  putInline,
  summary,
  type Creation,
  type Inline,
} from "../apply/assets.ts";
import { maxBundledBytes } from "../../contract/limits.ts";
import { assetName } from "../asset-name.ts";
import type { AssetChange } from "../changes.ts";
import { LARGE_BYTES } from "../../site/images/optimize-image.ts";

export interface DraftContext extends ApplyContext {
  readonly siteId: string;
  /** The release that the plan is based on; `null` if there is none. */
  readonly parent: string | null;
}

/** A file of a release. */
export interface DraftFile {
  readonly change: Creation;
  /** SHA-256 of the sent bytes. */
  readonly hash: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly bytesBefore: number;
  /** Reads the file again when it is sent, so that a run doesn't hold all files in memory. */
  readonly read: () => Promise<Bytes>;
}

/** An open release in which all files have their addresses. */
export interface Draft {
  readonly opened: OpenedRelease;
  /** Address in pages by hash of the asset. */
  readonly addresses: Map<string, string>;
  readonly files: readonly DraftFile[];
  /** Outcomes of assets that aren't files of the release: inlined in pages, or too large for a bundle. */
  readonly outcomes: readonly Outcome[];
  /** Duration of a request to the service. */
  readonly roundTripMs: number;
}

const FILES_AT_ONCE = 16;

/**
 * Opens a release with the files that a plan adds to the library. The content of a file that contains addresses of
 * others is only known once those have theirs; then they are added to the release.
 */
export async function openDraft(changes: readonly AssetChange[], context: DraftContext): Promise<Draft> {
  const addresses = knownAddresses(changes);
  const files: DraftFile[] = [];
  const outcomes: Outcome[] = [];
  const large: Creation[] = [];
  const maxBytes = maxBundledBytes(context.api.capabilities.limits);
  const placing = { prepare: context.prepare, addresses };
  async function place(change: Creation | Inline): Promise<void> {
    if (change.kind === "inline") {
      outcomes.push(await putInline(change, placing));
      return;
    }
    const outcome = await attempt({ resource: "asset", ...summary(change) }, async () => {
      const file = await draftFile(change, { ...context, addresses });
      if (file.bytes > maxBytes) large.push(change);
      else files.push(file);
      return {};
    });
    if (outcome.status !== "done") outcomes.push(outcome);
  }

  // Too large for a bundle, so they are uploaded individually, which readers don't see.
  async function uploadLarge(): Promise<void> {
    if (large.length === 0) return;
    const onOutcome = (outcome: Outcome) => void outcomes.push(outcome);
    const uploaded = await applyAssets(large.splice(0), { ...context, onOutcome });
    for (const [hash, url] of uploaded) addresses.set(hash, url);
  }

  let waiting = changes.filter((change) => change.kind === "create" || change.kind === "inline");
  let opened: OpenedRelease | undefined;
  let roundTripMs = 0;
  for (;;) {
    const ready = waiting.filter((change) => isReady(change, addresses));
    if (opened !== undefined && ready.length === 0) break;
    waiting = waiting.filter((change) => !ready.includes(change));
    const before = files.length;
    await mapPool<Creation | Inline, void>(ready, FILES_AT_ONCE, place);
    await uploadLarge();
    if (opened !== undefined && files.length === before) continue;
    const startedAt = performance.now();
    opened = await openWith(files, context, opened?.id);
    roundTripMs = performance.now() - startedAt;
    const urls = new Map(opened.assets.map(({ hash, url }) => [hash, url]));
    for (const { change, hash } of files) {
      const url = urls.get(hash);
      if (url !== undefined) addresses.set(change.asset.hash, url);
    }
  }
  for (const { name } of waiting) {
    const reason = "a file it uses could not be uploaded";
    outcomes.push({ resource: "asset", kind: "blocked", name, reason, status: "skipped" });
  }
  return { opened, addresses, files, outcomes, roundTripMs };
}

/** Opens a release with files, or adds files to one that is open. */
export function openWith(
  files: readonly DraftFile[],
  { api, siteId, parent }: DraftContext,
  id: string | undefined,
): Promise<OpenedRelease> {
  // Identical bytes under two names are one file.
  const named = new Map(files.map(({ hash, name, contentType, bytes }) => [hash, { hash, name, contentType, bytes }]));
  return api.releases.open({ ...(id === undefined ? {} : { id }), siteId, parent, assets: [...named.values()] });
}

async function draftFile(
  change: Creation,
  context: DraftContext & { readonly addresses: Map<string, string> },
): Promise<DraftFile> {
  const { asset } = change;
  const nameOf = (name: string) => assetName(name, { hash: asset.hash, project: context.project });
  const { source, name: ownName, contentType: ownType } = asset;
  if (source.kind === "file" && source.hash !== undefined && context.isSentAsIs(asset)) {
    const { hash, path, bytes } = source;
    const read = async () => (bytes < LARGE_BYTES ? await readFile(path) : { path, size: bytes, digest: hash });
    return { change, hash, name: nameOf(ownName), contentType: ownType, bytes, bytesBefore: bytes, read };
  }
  const { name, contentType, bytes, bytesBefore } = await prepareUpload(change, context);
  return {
    change,
    hash: sha256(isFile(bytes) ? await readFile(bytes.path) : bytes),
    name: nameOf(name),
    contentType,
    bytes: sizeOf(bytes),
    bytesBefore,
    read: async () => (source.kind === "text" ? bytes : (await prepareUpload(change, context)).bytes),
  };
}
