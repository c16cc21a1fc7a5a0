import type { AssetInput } from "./api.ts";
import { createWriter, mentions, type Refusal, type Step, verdictOn, type Writer } from "./learner.ts";
import type { Session } from "./session.ts";
import { encodeMultipart, type Part } from "./transport/body.ts";

const NAMES = ["file", "files[]", "files", "image", "asset", "upload", "media"];

interface Naming {
  readonly part: string;
  readonly hasAlt: boolean;
}

/** Uploads files under the part name that the host accepts. */
export function createUploader(session: Session): Writer<AssetInput> {
  return createWriter<Naming, AssetInput>({
    encode: (naming, asset) => encodeMultipart(partsOf(asset, naming)),
    usual: { part: "file", hasAlt: true },
    known: { part: session.dialect().filePart },
    featuresOf: (naming, asset) => partsOf(asset, naming).map(({ name }) => name),
    nextForm: nextNaming,
    keep({ part, hasAlt }, { isNew }) {
      const alt = hasAlt ? "" : " and no alternative text";
      const message = `${session.baseUrl} accepts files as the part "${part}"${alt}. imprint uses that from now on.`;
      session.learn({ filePart: part }, isNew ? message : undefined);
    },
  });
}

function partsOf({ name, contentType, bytes, alt }: AssetInput, { part, hasAlt }: Naming): readonly Part[] {
  const file: Part = { kind: "file", name: part, fileName: name, contentType, bytes };
  return alt === undefined || !hasAlt ? [file] : [file, { kind: "field", name: "alt", text: alt }];
}

function nextNaming({ form, content, refusal, accepted, isTried }: Step<Naming, AssetInput>): Naming | undefined {
  if (refusal.status === 413) return undefined;
  const hasAlt = form.hasAlt && content.alt !== undefined;
  if (hasAlt && verdictOn("alt", refusal) === "unknown") return { ...form, hasAlt: false };
  if (accepted.has(form.part)) return undefined;
  const others = NAMES.filter((name) => name !== form.part && !isTried({ ...form, part: name }));
  const named = others.find((name) => verdictOn(name, refusal) !== undefined) ?? unlistedName(form, refusal);
  if (named !== undefined && !isTried({ ...form, part: named })) return { ...form, part: named };
  if (isAboutContent(form, { content, refusal })) return undefined;
  const [next] = others;
  return next === undefined ? undefined : { ...form, part: next };
}

// `Missing part "photo"`: the only quoted name that isn't ours.
function unlistedName({ part }: Naming, refusal: Refusal): string | undefined {
  const quotedNames = [...refusal.text.matchAll(/["'`“‘]([A-Za-z][\w-]{0,39}(?:\[\])?)["'`”’]/g)].map(
    ([, name]) => name,
  );
  const [name, ...more] = [...new Set(quotedNames)].filter((quoted) => quoted !== undefined && quoted !== part);
  return more.length === 0 && name !== undefined && verdictOn(name, refusal) === "missing" ? name : undefined;
}

// A library that rejects a file type says so, and would reject it in any part.
function isAboutContent(
  form: Naming,
  { content, refusal }: { readonly content: AssetInput; readonly refusal: Refusal },
): boolean {
  if (verdictOn(form.part, refusal) === "unknown" || verdictOn(form.part, refusal) === "missing") return false;
  const says = (pattern: RegExp) =>
    pattern.test(refusal.text) || refusal.fields.some(({ detail }) => pattern.test(detail));
  if (says(/\bpart\b|\bfield\b|no file|missing|required|expected/i)) return false;
  const ending = content.name.split(".").at(-1) ?? "";
  return (
    refusal.status === 415 ||
    says(
      /\btypes?\b|format|extension|mime|too (?:large|big|small)|size|dimension|corrupt|virus|images? only|only images?/i,
    ) ||
    mentions(ending, refusal) ||
    mentions(content.contentType, refusal)
  );
}
