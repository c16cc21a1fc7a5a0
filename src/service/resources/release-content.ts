import { sha256 } from "../../base/hash.ts";
import { mapPool } from "../../base/pool.ts";
import type { ReleaseStored } from "../../contract/operations/releases.ts";
import type { BundleEntry } from "../http/bundle.ts";
import { ProblemError } from "../http/problem.ts";
import { saveContent } from "../store/release-pages.ts";
import type { Release } from "../store/releases.ts";
import { findRow } from "../store/rows.ts";
import { findAssetIds } from "./asset-uses.ts";
import { createTurns, inSlices, type Context } from "./context.ts";
import { mayHoldForms } from "./forms.ts";
import { addAsset, inspectFile, type AcceptedFile, type AcceptedTypes } from "./library.ts";

type Accepted = { readonly hash: string; readonly bytes: Uint8Array } & (
  | { readonly kind: "file"; readonly file: AcceptedFile }
  | { readonly kind: "page"; readonly html: string }
);

// Most of the time of a small file is waiting for the disk.
const ENTRIES_AT_ONCE = 8;

/** Stores the content of a bundle. Rejects entries that don't match their names; stores the others. */
export async function storeContent(
  context: Context,
  release: Release,
  { entries, types }: { readonly entries: readonly BundleEntry[]; readonly types: AcceptedTypes },
): Promise<ReleaseStored> {
  const refused: { name: string; detail: string }[] = [];
  const pause = createTurns();
  const taken = await mapPool(entries, ENTRIES_AT_ONCE, async (entry) => {
    await pause();
    try {
      const accepted = await inspectEntry(context, release, { entry, types });
      if (accepted.kind === "file") await context.blobs.write(accepted.hash, accepted.bytes);
      return [accepted];
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      refused.push({ name: entry.name, detail: error.message });
      return [];
    }
  });
  const accepted = taken.flat();
  await inSlices(context, accepted, keep);
  const stored = new Set(accepted.map(({ hash }) => hash));
  const missing = new Set(refused.map(({ name }) => name).filter((name) => !stored.has(name)));
  return { stored: accepted.length, missing: [...missing], refused };
}

async function inspectEntry(
  context: Context,
  release: Release,
  { entry: { name: hash, bytes }, types }: { readonly entry: BundleEntry; readonly types: AcceptedTypes },
): Promise<Accepted> {
  const found = sha256(bytes);
  if (found !== hash) throw new ProblemError("malformed_body", { detail: `The hash of the content is ${found}.` });
  const { database, limits } = context;
  const named = await findRow(database, "releaseAsset", { releaseId: release.id, hash });
  if (named !== undefined) {
    return { kind: "file", hash, bytes, file: await inspectFile(context, { name: named.name, bytes }, types) };
  }
  if (bytes.byteLength > limits.maxPageBytes) {
    throw new ProblemError("page_too_large", {
      detail: `The page has ${bytes.byteLength} bytes; the maximum is ${limits.maxPageBytes}.`,
    });
  }
  return { kind: "page", hash, bytes, html: decodePage(bytes) };
}

function decodePage(bytes: Uint8Array): string {
  const html = decodeText(bytes);
  if (html === undefined) throw new ProblemError("invalid_html", { detail: "The page is not text in UTF-8." });
  if (html.trim() === "") throw new ProblemError("invalid_html", { detail: "The page is empty." });
  return html;
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function keep(context: Context, accepted: Accepted): Promise<void> {
  const { database, accountId, now } = context;
  if (accepted.kind === "file") {
    await addAsset(context, accepted.file, {});
    return;
  }
  const { hash, bytes, html } = accepted;
  await saveContent(database, {
    accountId,
    hash,
    body: bytes,
    assetIds: findAssetIds([html]),
    hasForms: mayHoldForms(html),
    usedAt: now,
  });
}
