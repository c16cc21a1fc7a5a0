import type { State, StateEntry, StateIds } from "./state.ts";

type PageState = State["pages"][string];
type AssetState = State["assets"][string];

/** The state that a state file and the journal behind it tell together. */
export function replayJournal(initial: State, entries: readonly StateEntry[]): State {
  const draft = createDraft(initial);
  for (const entry of entries) applyEntry(draft, entry);
  return {
    version: 1,
    ...draft.ids,
    pages: Object.fromEntries(draft.pages),
    assets: Object.fromEntries(draft.assets),
    refused: Object.fromEntries(draft.refused),
    sending: Object.fromEntries(draft.sending),
    uploading: Object.fromEntries(draft.uploading),
  };
}

/** The state as maps, to change entry by entry. */
export interface Draft {
  readonly ids: { -readonly [Name in keyof StateIds]: StateIds[Name] };
  readonly pages: Map<string, PageState>;
  readonly assets: Map<string, AssetState>;
  readonly refused: Map<string, string>;
  readonly sending: Map<string, State["sending"][string]>;
  readonly uploading: Map<string, State["uploading"][string]>;
}

export function createDraft(state: State): Draft {
  const { version: _, pages, assets, refused, sending, uploading, ...ids } = state;
  return {
    ids,
    pages: new Map(Object.entries(pages)),
    assets: new Map(Object.entries(assets)),
    refused: new Map(Object.entries(refused)),
    sending: new Map(Object.entries(sending)),
    uploading: new Map(Object.entries(uploading)),
  };
}

/** Takes an entry into a draft and answers whether it said anything new. */
export function applyEntry(draft: Draft, entry: StateEntry): boolean {
  switch (entry.kind) {
    case "ids": {
      const { kind: _, ...ids } = entry;
      return assignChanged(draft.ids, ids);
    }
    case "sending":
      return setChanged(draft.sending, entry);
    case "page": {
      const wasSending = draft.sending.delete(entry.name);
      return setChanged(draft.pages, entry) || wasSending;
    }
    case "no-page": {
      const wasSending = draft.sending.delete(entry.name);
      return draft.pages.delete(entry.name) || wasSending;
    }
    case "asset": {
      const wasUploading = draft.uploading.delete(entry.name);
      const wasRefused = draft.refused.delete(entry.name);
      return setChanged(draft.assets, entry) || wasUploading || wasRefused;
    }
    case "no-asset":
      return draft.assets.delete(entry.name);
    case "uploading":
      return setChanged(draft.uploading, entry);
    case "refused": {
      const wasUploading = draft.uploading.delete(entry.name);
      return setChanged(draft.refused, entry) || wasUploading;
    }
  }
}

function assignChanged(ids: Draft["ids"], changed: StateIds): boolean {
  const before = JSON.stringify(ids);
  Object.assign(ids, changed);
  return JSON.stringify(ids) !== before;
}

function setChanged<Value>(map: Map<string, Value>, entry: { readonly name: string; readonly value: Value }): boolean {
  const isNew = JSON.stringify(map.get(entry.name)) !== JSON.stringify(entry.value);
  if (isNew) map.set(entry.name, entry.value);
  return isNew;
}
