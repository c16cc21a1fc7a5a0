import type { Page } from "../client/api.ts";
import { isHiddenStatus, isTrashStatus } from "../contract/dialect.ts";
import { findPreviewName } from "../contract/slug.ts";
import { hasSameWords } from "../html/words.ts";
import type { DesiredPage } from "./desired.ts";
import type { Owner } from "./project.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash, isSameRecord, type LockedTarget } from "./lock.ts";
import type { State } from "./state.ts";

export interface PageMemory extends Readonly<State["pages"][string]> {
  /** Whether only the lock file has it, which may be older than the page. */
  readonly isLocked?: boolean;
}

/** A page of ours as remembered. */
export interface Recalled {
  readonly memory?: PageMemory;
  /** Whether our two memories are of different versions, and nothing shows which of them the service has. */
  readonly isAmbiguous?: boolean;
}

interface MemoryContext {
  readonly state: State;
  readonly locked: LockedTarget | undefined;
}

/** Returns what `.imprint/` and the lock file have about a listed page. */
export function memoriesOf(record: Page, { state, locked }: MemoryContext): readonly PageMemory[] {
  const [own, lock] = [state.pages[record.slug], locked?.pages[record.slug]];
  return [
    ...(own !== undefined && isSameRecord(own, record) ? [own] : []),
    ...(lock !== undefined && isSameRecord(lock, record) ? [{ ...lock, isLocked: true }] : []),
  ];
}

interface Certainty {
  readonly memory: PageMemory;
  readonly memories: readonly PageMemory[];
  readonly page: DesiredPage | undefined;
  /** Whether a page that the site no longer has is deleted. */
  readonly prunes: boolean;
}

/** Whether the memory certainly describes the listed page, so that it needn't be read. */
export function isCertain(record: Page, { memory, memories, page, prunes }: Certainty): boolean {
  if (record.contentHash !== undefined) return isSameHash(record.contentHash, memory.shown ?? memory.sent);
  if (memory.isLocked === true) return false;
  if (memories.some(({ hash }) => !isSameHash(hash, memory.hash))) return false;
  if (isOtherTitle(record, memory)) return false;
  const updatedAt = record.updatedAt?.toISOString();
  const marks = [
    [record.version, memory.version],
    [updatedAt, memory.updatedAt],
  ].filter(([listed, known]) => listed !== undefined && known !== undefined);
  if (marks.some(([listed, known]) => listed !== known)) return false;
  // The list may lag, or can't reveal an edit, so a page is read before it is overwritten or deleted.
  return page === undefined ? marks.length > 0 && !prunes : isSameHash(page.hash, memory.hash);
}

/** Chooses the memory of the version that the service has: of `.imprint/` and the lock file, either may be older. */
export function recall(
  memories: readonly PageMemory[],
  { listed, sent }: { readonly listed: Page; readonly sent: string | undefined },
): Recalled {
  const shown = memories.find((each) => isSameHash(sent, each.shown ?? each.sent));
  if (shown !== undefined) return { memory: shown };
  const likely = memories.filter((each) => !hasMoved(listed, each) && !isOtherTitle(listed, each));
  const [memory = memories[0]] = likely;
  if (memory === undefined) return {};
  return { memory, isAmbiguous: likely.some(({ hash }) => !isSameHash(hash, memory.hash)) };
}

/** Whether the page was changed later than the remembered version. */
export function hasMoved({ updatedAt, status }: Page, memory: PageMemory): boolean {
  // Moving a page to the trash isn't an edit.
  if (isTrashStatus(status)) return false;
  return updatedAt !== undefined && memory.updatedAt !== undefined && updatedAt.toISOString() !== memory.updatedAt;
}

/** Whether the listed page's title differs from the remembered one. */
export function isOtherTitle({ title }: Page, memory: Pick<PageMemory, "title" | "formerTitle">): boolean {
  const { formerTitle } = memory;
  return title !== undefined && memory.title !== undefined && ![memory.title, formerTitle].includes(title);
}

// An interrupted run may not have received the response, or not have listed the pages after it sent them. Whatever hides
// the page then counts as the host's own doing.
export function hiddenWhenSent(
  { slug, title, updatedAt, status }: Page,
  memory: PageMemory | undefined,
  { state }: { readonly state: Pick<State, "sending"> },
): string | undefined {
  const isUnlisted =
    memory !== undefined &&
    ((title !== undefined && memory.title === undefined) ||
      (updatedAt !== undefined && memory.updatedAt === undefined));
  const isUnseen = state.sending[slug] !== undefined || isUnlisted;
  return memory?.hiddenAs ?? (isUnseen && isHiddenStatus(status) ? status : undefined);
}

/**
 * Whether a page may be what an interrupted run was sending: the service hides its HTML, or drops our marker and keeps
 * the words.
 */
export async function mayBeAsSent(page: SeenPage, desired: DesiredPage | undefined): Promise<boolean> {
  if (page.kind === "hidden") return true;
  if (page.kind !== "read" || page.marker !== undefined || desired === undefined) return false;
  return hasSameWords((await desired.render()).html, await page.readHtml());
}

/** Whether this project deleted the page that had this slug. */
export function wasDeleted({ slug }: Page, { state }: { readonly state: Pick<State, "deleted"> }): boolean {
  return state.deleted?.includes(slug) === true;
}

/** A page with our marker that neither `.imprint/` nor the lock file has. */
export interface Forgotten {
  /** Set if this project moved it to the service's trash. */
  readonly isDiscarded?: true;
  /** Set if this project didn't delete it either, although the lock file has its pages. */
  readonly isUnrecorded?: true;
}

interface Discarding extends Pick<MemoryContext, "locked"> {
  readonly owner: Pick<Owner, "isRecovered">;
  readonly state: Pick<State, "deleted">;
}

export function describeForgotten(page: Page, context: Discarding): Forgotten {
  const { locked, owner } = context;
  const isUnrecorded = locked !== undefined && !owner.isRecovered && !wasDeleted(page, context);
  return { ...(isDiscarded(page, context) && { isDiscarded: true }), ...(isUnrecorded && { isUnrecorded }) };
}

// What this project deletes, it forgets. Without its memory, somebody else may have done it.
function isDiscarded(page: Page, { owner, state }: Discarding): boolean {
  if (wasDeleted(page, { state }) && isHiddenStatus(page.status)) return true;
  return isTrashStatus(page.status) && (!owner.isRecovered || findPreviewName(page.slug) !== undefined);
}
