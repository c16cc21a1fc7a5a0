import { findAttribute } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { rewriteProps } from "./data-blocks.ts";
import { setAttribute, type PageDraft } from "./page-draft.ts";
import { moduleKey } from "./scripts.ts";
import { resolveTarget } from "./targets.ts";

const MODULES = ["component-url", "renderer-url", "before-hydration-url"];

/** `<astro-island>`: its modules are imported by name, and its props name what the published page names. */
export function rewriteIsland(element: HtmlElement, draft: PageDraft): void {
  for (const name of MODULES) {
    const address = findAttribute(element, name);
    if (address === undefined || address === "" || address.startsWith("@i/")) continue;
    const target = resolveTarget(draft, element, address);
    if (target.kind !== "file") continue;
    draft.modules.add(target.path);
    setAttribute(draft, element, { name, value: moduleKey(target.path) });
  }
  const props = findAttribute(element, "props");
  if (props !== undefined) rewriteProps(element, draft, props);
}
