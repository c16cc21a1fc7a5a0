import type { State, StateEntry } from "./state.ts";

type PageState = State["pages"][string];
type AssetState = State["assets"][string];
type Ids = Pick<State, "siteId" | "blogId" | "brandKit" | "concurrency" | "seenAt" | "otherPages" | "library">;

/** The state that a state file and the journal behind it tell together. */
export function replayJournal(initial: State, entries: readonly StateEntry[]): State {
  const draft = createDraft(initial);
  for (const entry of entries) applyEntry(draft, entry);
  return {
    version: 1,
    ...draft.ids,
    pages: Object.fromEntries(draft.pages),
    assets: Object.fromEntries(draft.assets),
    sending: Object.fromEntries(draft.sending),
  };
}

/** The state as maps, to change entry by entry. */
export interface Draft {
  readonly ids: { -readonly [Name in keyof Ids]: Ids[Name] };
  readonly pages: Map<string, PageState>;
  readonly assets: Map<string, AssetState>;
  readonly sending: Map<string, PageState>;
}

export function createDraft(state: State): Draft {
  const { version: _, pages, assets, sending, ...ids } = state;
  return {
    ids,
    pages: new Map(Object.entries(pages)),
    assets: new Map(Object.entries(assets)),
    sending: new Map(Object.entries(sending)),
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
    case "asset":
      return setChanged(draft.assets, entry);
    case "no-asset":
      return draft.assets.delete(entry.name);
  }
}

function assignChanged(ids: Draft["ids"], changed: Partial<Ids>): boolean {
  const before = JSON.stringify(ids);
  Object.assign(ids, changed);
  return JSON.stringify(ids) !== before;
}

function setChanged<Value>(map: Map<string, Value>, entry: { readonly name: string; readonly value: Value }): boolean {
  const isNew = JSON.stringify(map.get(entry.name)) !== JSON.stringify(entry.value);
  if (isNew) map.set(entry.name, entry.value);
  return isNew;
}
