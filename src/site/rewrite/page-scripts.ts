import { passWarnings, useAssets, type PageDraft } from "./page-draft.ts";
import type { Script } from "./scripts.ts";

/** Notes that a page has a script, with all that the script needs. */
export function useScript(draft: PageDraft, script: Script): void {
  draft.scripts.push(script);
  useAssets(draft, script.assets);
  passWarnings(draft, script.warnings);
  for (const module of script.modules) draft.modules.add(module);
}

/** The scripts of a page and all modules that they import. */
export function findScripts({ context, scripts, modules, facts, page }: PageDraft): readonly Script[] {
  const wanted = facts.has("client-router") ? [...modules, ...context.builtModules] : modules;
  return [
    ...scripts,
    ...context.scripts.reach(wanted, page.file).map((path) => context.scripts.fromFile(path, page.file)),
  ];
}
