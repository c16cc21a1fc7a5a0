import { passWarnings, useAssets, type PageDraft } from "./page-draft.ts";
import type { Script } from "./scripts.ts";

export function useScript(draft: PageDraft, script: Script): void {
  draft.scripts.push(script);
  useAssets(draft, script.assets);
  passWarnings(draft, script.warnings);
  for (const module of script.modules) draft.modules.add(module);
}

/** Scripts found when the page had this many scripts and modules; none are ever removed. */
interface Found {
  readonly size: number;
  readonly scripts: readonly Script[];
}

const found = new WeakMap<PageDraft, Found>();

export function findScripts(draft: PageDraft): readonly Script[] {
  const { context, scripts, modules, facts, page } = draft;
  const size = scripts.length + modules.size;
  const known = found.get(draft);
  if (known?.size === size) return known.scripts;
  const wanted = facts.has("client-router") ? [...modules, ...context.builtModules] : modules;
  const all = [
    ...scripts,
    ...context.scripts.reach(wanted, page.file).map((path) => context.scripts.fromFile(path, page.file)),
  ];
  found.set(draft, { size, scripts: all });
  return all;
}
