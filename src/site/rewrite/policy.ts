import { findAttribute } from "../../html/attributes.ts";
import { allowsInline, extendPolicy, type PolicyNeeds } from "../../html/csp.ts";
import type { PageHtml } from "../../html/page-html.ts";
import { namesAssets, policyHash, renderTextHashPlaceholder } from "../../html/fill-placeholders.ts";
import { renderOriginsPlaceholder } from "../../html/placeholders.ts";
import type { AssetKind } from "../model.ts";
import { findSearchNeeds } from "./pagefind.ts";
import { setAttribute, type PageDraft } from "./page-draft.ts";
import { findScripts } from "./page-scripts.ts";

const DIRECTIVES: Readonly<Record<AssetKind, string>> = {
  image: "img-src",
  font: "font-src",
  style: "style-src",
  script: "script-src",
  file: "media-src",
};

/**
 * Extends the page's content security policies with what was embedded in the page and with the origins of its files.
 */
export function rewritePolicies(draft: PageDraft): void {
  const policies = draft.kept.get("policy") ?? [];
  if (policies.length === 0) return;
  for (const element of policies) {
    const policy = findAttribute(element, "content") ?? "";
    const extended = extendPolicy(policy, findNeeds(draft, hashInline(policy, draft)));
    if (extended !== policy) setAttribute(draft, element, { name: "content", value: extended });
  }
}

/** Hashes what we add, and of the page's own code only what its policy allows: such code may come from anybody. */
function hashInline(policy: string, { context, inlineTexts }: PageDraft): PolicyNeeds {
  const hash = (html: string): string => `'${hashOf({ html, findInsert: context.inserts.find })}'`;
  const allowed = inlineTexts.filter(
    ({ directive, original }) =>
      original === undefined || policy.includes(hash(original)) || allowsInline(policy, directive, original),
  );
  const byDirective = Map.groupBy(allowed, ({ directive }) => directive);
  return new Map([...byDirective].map(([directive, texts]) => [directive, texts.map(({ text }) => hash(text))]));
}

function findNeeds(draft: PageDraft, hashes: PolicyNeeds): PolicyNeeds {
  const { placement } = draft.context.settings;
  const needs = new Map(hashes);
  const add = (directive: string, source: string): void => {
    needs.set(directive, [...(needs.get(directive) ?? []), source]);
  };
  const hasScriptAddress = draft.modules.size > 0 || draft.facts.has("script-address");
  if (placement.scripts === "data" && hasScriptAddress) add("script-src", "data:");
  if (draft.inlineTexts.some(({ text }) => text.includes("data:font/"))) add("font-src", "data:");
  if (draft.facts.has("style-address")) add("style-src", "data:");
  if (draft.facts.has("inline-media")) add("media-src", "data:");
  const scripts = findScripts(draft);
  if (scripts.some(({ startsWorkers }) => startsWorkers)) {
    for (const source of ["blob:", "data:"]) add("worker-src", source);
    if (placement.scripts === "data") add("script-src", "data:");
    if (placement.files === "keep") add("connect-src", "data:");
  }
  if (draft.facts.has("inline-data")) add("connect-src", "data:");
  const fetched = new Set([
    ...draft.fetched,
    ...scripts.flatMap(({ assets }) => assets.flatMap(({ kind, hash }) => (kind === "file" ? [hash] : []))),
  ]);
  if (fetched.size > 0) add("connect-src", renderOriginsPlaceholder([...fetched]));
  for (const [directive, assets] of Map.groupBy(draft.assets.values(), ({ kind }) => DIRECTIVES[kind])) {
    add(directive, renderOriginsPlaceholder(assets.map((asset) => asset.hash)));
  }
  for (const { directive, source } of findSearchNeeds(draft)) add(directive, source);
  return needs;
}

/** The hash of a text with placeholders isn't known until they are filled. */
function hashOf(text: PageHtml): string {
  return namesAssets(text) ? renderTextHashPlaceholder(text) : policyHash(text);
}
