import { ImprintError } from "../base/error.ts";
import { MARKDOWN_BODIES, POST_BODIES, type Dialect } from "../contract/dialect.ts";
import { explainDemands } from "./demanded-fields.ts";
import {
  createWriter,
  demandsOther,
  mentions,
  refusalOf,
  type Refusal,
  speaksOfDuplicate,
  speaksOfUnknown,
  type Step,
  type Verdict,
  verdictOn,
  type Writer,
} from "./learner.ts";
import { jsonBody } from "./transport/body.ts";
import type { Session } from "./session.ts";

/** A kind of record written as JSON, for which hosts name one field differently and may refuse others. */
export interface RecordKind {
  /** Name for people: `post`. */
  readonly label: string;
  /** The field that hosts name differently, as named in this program, which is also the first name tried. */
  readonly field: string;
  readonly names: readonly string[];
  /**
   * Whether to send the field under all names to a host with an unknown naming. A host that uses another name and
   * ignores unknown fields would store the record without it: a post that nobody can change.
   */
  readonly sendsAll?: boolean;
  readonly nameKey: "postBody" | "blogName" | "siteName" | "brandKitName";
  readonly omitsKey: "postOmits" | "blogOmits" | "siteOmits" | "brandKitOmits";
  /** The fields that remain if a host rejects unknown fields without naming them. */
  readonly minimal: readonly string[];
  /** Fields that are never omitted. */
  readonly required: readonly string[];
}

export const POST: RecordKind = {
  label: "post",
  field: "html",
  names: POST_BODIES,
  sendsAll: true,
  nameKey: "postBody",
  omitsKey: "postOmits",
  minimal: ["title", "slug", "html", "markdown"],
  required: ["title", "html", "markdown"],
};

/** A post for a host that accepts only Markdown. */
export const MARKDOWN_POST: RecordKind = { ...POST, field: "markdown", names: MARKDOWN_BODIES, sendsAll: false };

/** Whether a host refused a post because it wants its text as Markdown: it demands that, or doesn't know HTML. */
export function wantsMarkdown(error: unknown): boolean {
  const refusal = refusalOf(error);
  if (refusal === undefined) return false;
  return demandsMarkdown(refusal) || POST_BODIES.some((name) => verdictOn(name, refusal) === "unknown");
}

function demandsMarkdown(refusal: Refusal): boolean {
  return MARKDOWN_BODIES.some((name) => verdictOn(name, refusal) === "missing");
}

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

/** Writes records of a kind in the form that the host accepts. */
export function createRecordWriter(session: Session, kind: RecordKind): Writer<object> {
  const { nameKey, omitsKey } = kind;
  const given = session.dialect();
  const name = kind.names.find((each) => each === given[nameKey]);
  const isPost = nameKey === "postBody";
  // Our own service identifies itself and accepts the first name.
  const isUnknown = kind.sendsAll === true && session.capabilities().account === undefined;
  const writer = createWriter<Naming, object>({
    encode: (naming, record) => jsonBody(render(record, { naming, kind })),
    usual: { names: isUnknown ? kind.names : [kind.field], omits: [] },
    known: { names: name === undefined ? undefined : [name], omits: given[omitsKey] },
    featuresOf: (naming, record) => Object.keys(render(record, { naming, kind })),
    nextForm(step) {
      const isKnown = isPost && describeRefusal(step.refusal) === given.postRefusal;
      return isKnown ? undefined : nextNaming(step, { ...kind, hasOmits: given[omitsKey] !== undefined });
    },
    // A project has one of each other kind, so nothing else could confirm what is learned with it.
    ...(isPost && {
      leavesOut: leavesOutMore,
      giveUp: (refusal) => session.learn({ postRefusal: describeRefusal(refusal) }, undefined),
    }),
    keep({ names, omits }, { isNew, isDoubtful }) {
      if (isDoubtful) {
        const fields = omits.join(", ");
        session.learn({}, `${session.baseUrl} accepted a ${kind.label} only without these fields: ${fields}.`);
        return;
      }
      const [name, ...others] = names;
      const learned: Dialect = {
        ...(others.length === 0 ? { [nameKey]: name } : {}),
        // Posts can't be changed, so a host that accepts all of their fields is never sent fewer in later runs.
        ...(omits.length === 0 && !isUnknown ? {} : { [omitsKey]: omits }),
      };
      session.learn(learned, isNew ? describeNaming({ names, omits }, { kind, baseUrl: session.baseUrl }) : undefined);
    },
  });
  const explained = explainDemands(writer, (record) => ({
    label: kind.label,
    fields: [...kind.names, ...Object.keys(record)],
    otherwise: isPost ? ' Or set `posts.target: "pages"` to publish posts as pages of the site.' : undefined,
  }));
  return {
    send: (record, attempt) =>
      explained.send(record, attempt).catch((error: unknown) => {
        throw withRemedy(error, { record, kind });
      }),
  };
}

/** A rejected value may be of a field that the host doesn't need, which only the user can decide to leave out. */
function withRemedy(error: unknown, { record, kind }: { readonly record: object; readonly kind: RecordKind }): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined || !(error instanceof ImprintError)) return error;
  const optional = Object.keys(record).filter((field) => !kind.minimal.includes(field));
  // A name that the host doesn't know was left out before.
  const judged = { kind, record, isKnown: true };
  const named = optional.filter((field) => concernsValue(field, refusal, judged));
  if (named.length === 0) return error;
  const hint = `Correct the value, or omit the field with \`dialect: { ${kind.omitsKey}: ${JSON.stringify(named)} }\` in the options.`;
  return new ImprintError(error.code, error.message, { cause: error.cause, hint });
}

function describeRefusal({ status, text }: Refusal): string {
  return `${status} ${text}`;
}

/** How a host names the fields of a record. */
interface Naming {
  readonly names: readonly string[];
  readonly omits: readonly string[];
}

function leavesOutMore({ omits }: Naming, start: Naming): boolean {
  return omits.some((field) => !start.omits.includes(field));
}

interface Rendering {
  readonly naming: Naming;
  readonly kind: RecordKind;
}

function render(record: object, { naming, kind }: Rendering): Readonly<Record<string, unknown>> {
  const entries = Object.entries(record).filter(
    ([field, value]) => value !== undefined && !naming.omits.includes(field),
  );
  return Object.fromEntries(
    entries.flatMap(([field, value]) => (field === kind.field ? naming.names : [field]).map((name) => [name, value])),
  );
}

/** `hasOmits`: whether an earlier run, or the user, knew the fields that the host refuses. */
type KnownKind = RecordKind & { readonly hasOmits: boolean };

function nextNaming(step: Step<Naming, object>, kind: KnownKind): Naming | undefined {
  const { form, content, refusal, accepted } = step;
  if (refusal.status === 415 || speaksOfDuplicate(refusal)) return undefined;
  if (kind.field === POST.field && demandsMarkdown(refusal)) return undefined;
  if (demandsOther([...kind.names, ...Object.keys(content)], refusal)) return undefined;
  const rendered = Object.keys(render(content, { naming: form, kind }));
  // The text is most of the body: if it is too large under all names, it may fit under one.
  if (refusal.status === 413) return form.names.length > 1 ? { ...form, names: [kind.field] } : undefined;
  const sent = form.names.filter((name) => rendered.includes(name));
  const isFixed = sent.length === 0 || sent.some((name) => accepted.has(name));
  const others = isFixed ? [] : kind.names.filter((name) => !sent.includes(name));
  const named = others.find((name) => verdictOn(name, refusal) !== undefined);
  if (named !== undefined) return { ...form, names: [named] };
  const judged = { kind, record: content, isKnown: kind.hasOmits };
  const verdicts = rendered.map((field) => ({ field, verdict: judge(field, refusal, judged) }));
  const unknown = verdicts.filter(({ verdict }) => verdict === "unknown").map(({ field }) => field);
  const dropped = unknown.filter((field) => !sent.includes(field) && !kind.required.includes(field));
  const known = sent.filter((name) => !unknown.includes(name));
  const isNarrowed = known.length > 0 && known.length < sent.length;
  if (dropped.length > 0 || isNarrowed) {
    return { names: isNarrowed ? known : form.names, omits: [...form.omits, ...dropped] };
  }
  // A message about a sent field that the host knows concerns the content.
  const isContent = verdicts.some(
    ({ field, verdict }) => verdict === "missing" || concernsValue(field, refusal, judged),
  );
  if (isContent && unknown.length === 0) return undefined;
  const isMisnamed = known.length === 0 && sent.length > 0;
  return guesses(step, { kind, isFixed, isMisnamed }).find((naming) => !step.isTried(naming));
}

interface Judging {
  readonly kind: Pick<RecordKind, "names">;
  readonly record: object;
  /** Whether the host accepts the optional fields that are still sent. */
  readonly isKnown: boolean;
}

function judge(field: string, refusal: Refusal, { record, isKnown }: Judging): Verdict | undefined {
  const value: unknown = Reflect.get(record, field);
  return verdictOn(field, refusal, { value, isKnown });
}

/** Whether a rejection concerns the value of a field rather than its name. */
function concernsValue(field: string, refusal: Refusal, judging: Judging): boolean {
  if (judge(field, refusal, judging) === "other") return true;
  // Other names may be ordinary words: "Status 422".
  return (
    !judging.kind.names.includes(field) && field !== "status" && !speaksOfUnknown(refusal) && mentions(field, refusal)
  );
}

interface Guessing {
  readonly kind: KnownKind;
  /** Whether the host accepted the name before. */
  readonly isFixed: boolean;
  /** Whether the host indicates that it doesn't know the names that were tried. */
  readonly isMisnamed: boolean;
}

function guesses(
  { form, start, content, refusal, accepted }: Step<Naming, object>,
  { kind, isFixed, isMisnamed }: Guessing,
): readonly Naming[] {
  const extra = Object.keys(content).filter((field) => !kind.minimal.includes(field) && !accepted.has(field));
  const omits = [...new Set([...start.omits, ...extra, ...form.omits])];
  const single = isFixed ? [] : kind.names.map((name) => [name]);
  const renamed = single.map((names) => ({ ...form, names }));
  const without = (field: string) => ({ ...start, omits: [...start.omits, field] });
  const fewer = [form.names, ...single].map((names) => ({ names, omits }));
  const reduced = kind.hasOmits ? [] : [...extra.map(without), ...fewer];
  const isReducedFirst = !isMisnamed && speaksOfUnknown(refusal) && form.names.length === 1;
  return isReducedFirst ? [...reduced.slice(0, extra.length + 1), ...renamed, ...reduced] : [...renamed, ...reduced];
}

function describeNaming(
  { names, omits }: Naming,
  { kind, baseUrl }: { readonly kind: RecordKind; readonly baseUrl: string },
): string {
  const [name, ...others] = names;
  const renamed =
    name === kind.field || others.length > 0 ? "" : ` calls the ${kind.field} of a ${kind.label} "${name}"`;
  const refused = omits.length === 0 ? "" : ` doesn't accept these fields of a ${kind.label}: ${omits.join(", ")}`;
  return `${baseUrl}${[renamed, refused].filter((part) => part !== "").join(" and")}. imprint uses that from now on.`;
}
