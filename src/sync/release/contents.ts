import { sha256 } from "../../base/hash.ts";
import type { ReleaseContent } from "../../client/releases/bundle.ts";
import type { ReleasePagesBody } from "../../contract/operations/releases.ts";
import { encodeHtml } from "../../html/page-html.ts";
import { hasUnpublished } from "../apply/on-hold.ts";
import type { Write } from "../apply/pages.ts";
import { sealPage } from "../apply/seal-page.ts";
import type { PageChange, Plan } from "../changes.ts";
import type { FilledDraft } from "./fill-draft.ts";
import type { Draft, DraftContext } from "./open-draft.ts";

/** A page that a release lists: a changed one, or, in the first release of a site, also an unchanged one. */
export type Listed = Write | Extract<PageChange, { kind: "keep" }>;

/** A page of a release. */
export interface DraftPage {
  readonly change: Listed;
  /** SHA-256 of the HTML as sent. */
  readonly hash: string;
  readonly bytes: number;
}

export type Deletion = Extract<PageChange, { kind: "delete" }>;

export function isWrite(change: PageChange): change is Write {
  return change.kind === "create" || change.kind === "update";
}

export function isDelete(change: PageChange): change is Deletion {
  return change.kind === "delete";
}

/** Returns the pages that a release removes: none after a failure, as the run didn't do what was planned. */
export function findRemoved(
  { pages }: Plan,
  { outcomes }: Pick<Draft, "outcomes">,
  { failed, collisions }: Pick<FilledDraft, "failed" | "collisions">,
): readonly Deletion[] {
  const isSent = failed.length === 0 && collisions.length === 0 && !hasUnpublished(pages);
  return isSent && outcomes.every(({ status }) => status !== "failed") ? pages.filter(isDelete) : [];
}

export function removal({ name, known: { record } }: Deletion): ReleasePagesBody["removes"][number] {
  return { slug: name, version: record.version };
}

/** Records what is about to be published: if the run is killed, the next one recognizes these pages as its own. */
export async function announcePages(pages: readonly DraftPage[], { store }: DraftContext): Promise<void> {
  const written = pages.filter(({ change }) => isWrite(change));
  await Promise.all(
    written.map(({ change, hash }) => store.announcePage(change.name, { hash: change.desired.hash, sent: hash })),
  );
}

/** Returns the hash of the complete list of pages after this run. */
export function manifestOf({ pages }: Plan, sentPages: readonly DraftPage[]): string {
  const sent = new Map(sentPages.map(({ change, hash }) => [change.name, hash]));
  const lines = pages.flatMap((change) => {
    const hash = sent.get(change.name) ?? (change.kind === "keep" ? change.known.sent : undefined);
    return hash === undefined ? [] : [`${change.name} ${hash}\n`];
  });
  return sha256(lines.toSorted().join(""));
}

/** A page of a release with its HTML as sent. */
export interface MadePage {
  readonly page: DraftPage;
  readonly content: ReleaseContent & { readonly bytes: Uint8Array };
}

export async function makePage(
  change: Listed,
  { addresses }: Pick<Draft, "addresses">,
  context: DraftContext,
): Promise<MadePage> {
  const bytes = encodeHtml(await sealPage(change.desired, { ...context, addresses }));
  const hash = sha256(bytes);
  return { page: { change, hash, bytes: bytes.length }, content: { hash, bytes } };
}

export function pageEntry({ change, hash, bytes }: DraftPage): ReleasePagesBody["pages"][number] {
  const { slug, title, description } = change.desired;
  const version = change.kind === "create" ? undefined : change.known.record.version;
  return { slug, title, description, hash, bytes, version };
}
