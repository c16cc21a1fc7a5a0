import type { Dialect } from "../contract/dialect.ts";
import { createWriter, speaksOfDuplicate, speaksOfUnknown, type Step, verdictOn, type Writer } from "./learner.ts";
import { jsonBody } from "./transport/body.ts";
import type { Session } from "./session.ts";

/** A kind of record that is written as JSON, of which hosts name one field differently and may refuse others. */
export interface RecordKind {
  /** As people call it: `post`. */
  readonly label: string;
  /** The field that hosts name differently, as the program calls it, which is also the first name tried. */
  readonly field: string;
  readonly names: readonly string[];
  readonly nameKey: "postBody" | "blogName" | "siteName" | "brandKitName";
  readonly omitsKey: "postOmits" | "blogOmits" | "siteOmits" | "brandKitOmits";
  /** What is left where a host refuses unknown fields without naming them. */
  readonly minimal: readonly string[];
  /** Fields that are never left out. */
  readonly required: readonly string[];
}

export const POST: RecordKind = {
  label: "post",
  field: "html",
  names: ["html", "content", "body"],
  nameKey: "postBody",
  omitsKey: "postOmits",
  minimal: ["title", "slug", "html", "markdown"],
  required: ["title", "html", "markdown"],
};

const NAMED = { field: "name", names: ["name", "title"], minimal: ["name"], required: ["name"] } as const;

export const BLOG: RecordKind = { ...NAMED, label: "blog", nameKey: "blogName", omitsKey: "blogOmits" };

export const SITE: RecordKind = { ...NAMED, label: "site", nameKey: "siteName", omitsKey: "siteOmits" };

export const BRAND_KIT: RecordKind = {
  ...NAMED,
  label: "brand kit",
  nameKey: "brandKitName",
  omitsKey: "brandKitOmits",
  minimal: ["name", "colors", "fonts"],
};

/** Writes records of a kind in the form that the host takes. */
export function createRecordWriter(session: Session, kind: RecordKind): Writer<object> {
  const { nameKey, omitsKey } = kind;
  const given = session.dialect();
  return createWriter<Naming, object>({
    encode: (naming, record) => jsonBody(render(record, { naming, kind })),
    usual: { name: kind.field, omits: [] },
    known: { name: given[nameKey], omits: given[omitsKey] },
    featuresOf: (naming, record) => Object.keys(render(record, { naming, kind })),
    nextForm: (step) => nextNaming(step, kind),
    keep({ name, omits }, { isNew }) {
      const learned = { [nameKey]: name, ...(omits.length === 0 ? {} : { [omitsKey]: omits }) } as Dialect;
      session.learn(learned, isNew ? describeNaming({ name, omits }, { kind, baseUrl: session.baseUrl }) : undefined);
    },
  });
}

/** How a host names the fields of a record. */
interface Naming {
  readonly name: string;
  readonly omits: readonly string[];
}

interface Rendering {
  readonly naming: Naming;
  readonly kind: RecordKind;
}

function render(record: object, { naming, kind }: Rendering): Readonly<Record<string, unknown>> {
  const entries = Object.entries(record).filter(
    ([field, value]) => value !== undefined && !naming.omits.includes(field),
  );
  return Object.fromEntries(entries.map(([field, value]) => [field === kind.field ? naming.name : field, value]));
}

function nextNaming(step: Step<Naming, object>, kind: RecordKind): Naming | undefined {
  const { form, content, refusal, accepted } = step;
  if (refusal.status === 415 || speaksOfDuplicate(refusal)) return undefined;
  const rendered = Object.keys(render(content, { naming: form, kind }));
  const isFixed = accepted.has(form.name) || !rendered.includes(form.name);
  const others = isFixed ? [] : kind.names.filter((name) => name !== form.name);
  const named = others.find((name) => verdictOn(name, refusal) !== undefined);
  if (named !== undefined) return { ...form, name: named };
  const verdicts = rendered.map((field) => ({ field, verdict: verdictOn(field, refusal) }));
  const unknown = verdicts.filter(({ verdict }) => verdict === "unknown").map(({ field }) => field);
  const dropped = unknown.filter((field) => field !== form.name && !kind.required.includes(field));
  if (dropped.length > 0) return { ...form, omits: [...form.omits, ...dropped] };
  // What it says of a field that was sent, and that it knows, is about the content.
  const isContent = verdicts.some(({ verdict }) => verdict === "other" || verdict === "missing");
  if (isContent && unknown.length === 0) return undefined;
  return guesses(step, { kind, others, isMisnamed: unknown.includes(form.name) }).find(
    (naming) => !step.isTried(naming),
  );
}

interface Guessing {
  readonly kind: RecordKind;
  readonly others: readonly string[];
  /** Whether the host says that it does not know the name that was tried. */
  readonly isMisnamed: boolean;
}

function guesses(
  { form, content, refusal, accepted }: Step<Naming, object>,
  { kind, others, isMisnamed }: Guessing,
): readonly Naming[] {
  const extra = Object.keys(content).filter((field) => !kind.minimal.includes(field) && !accepted.has(field));
  const omits = [...new Set([...form.omits, ...extra])];
  const renamed = others.map((name) => ({ ...form, name }));
  const reduced = [form.name, ...others].map((name) => ({ name, omits }));
  const isReducedFirst = !isMisnamed && speaksOfUnknown(refusal);
  return isReducedFirst ? [...reduced.slice(0, 1), ...renamed, ...reduced] : [...renamed, ...reduced];
}

function describeNaming(
  { name, omits }: Naming,
  { kind, baseUrl }: { readonly kind: RecordKind; readonly baseUrl: string },
): string {
  const renamed = name === kind.field ? "" : ` calls the ${kind.field} of a ${kind.label} "${name}"`;
  const refused = omits.length === 0 ? "" : ` doesn't accept these fields of a ${kind.label}: ${omits.join(", ")}`;
  return `${baseUrl}${[renamed, refused].filter((part) => part !== "").join(" and")}. Using that from here on.`;
}
