import { PROBLEMS } from "../contract/problems.ts";
import type { FieldError } from "./transport/error-body.ts";
import { failureOf } from "./transport/outcome.ts";

/** An answer that refused what was sent, and stored nothing of it. */
export interface Refusal {
  readonly status: 400 | 415 | 422;
  /** What the service says in its own words. */
  readonly text: string;
  /** What it says of single fields. */
  readonly fields: readonly FieldError[];
}

/**
 * The refusal that an error stands for, where another form of the same content may help. `undefined` for everything
 * else: other statuses, an earlier attempt that may have been carried out, and problems of our own service, which takes
 * the forms that are sent first.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  const failure = failureOf(error);
  if (failure === undefined || failure.mayBeDone) return undefined;
  const { status, problemCode, requestId, said = "", fields = [] } = failure;
  if (status !== 400 && status !== 415 && status !== 422) return undefined;
  const isOurs = problemCode !== undefined && problemCode in PROBLEMS && requestId !== undefined;
  if (isOurs || problemCode?.startsWith("idempotency_") === true) return undefined;
  return { status, text: said, fields };
}

/** What a refusal says of a name: that it is unknown, that it is missing, or something else about it. */
export type Verdict = "unknown" | "missing" | "other";

const UNKNOWN =
  /unknown|unrecogni[sz]ed|unexpected|additional|extra\b|unpermitted|unsupported|not (?:allowed|permitted|accepted|known|supported|recogni[sz]ed|expected|understood|defined)|does(?: not|n't) (?:exist|know|take|accept)|no such|invalid (?:field|key|property|parameter|attribute)/i;
const MISSING =
  /missing|required|mandatory|must (?:be (?:set|given|present|provided|sent)|have|contain|include)|expect(?:s|ed)?\b|needs?\b|no (?:file|part|field)|not (?:found|provided|given|present|sent)|(?:can't|cannot|can not) be (?:blank|empty)|blank|undefined|null\b/i;

/** Whether a refusal speaks of unknown fields, whatever they are called. */
export function speaksOfUnknown({ text, fields }: Refusal): boolean {
  return UNKNOWN.test(text) || fields.some(({ detail }) => UNKNOWN.test(detail));
}

/** Whether a refusal says that a record with this slug or name is there already. */
export function speaksOfDuplicate({ text, fields }: Refusal): boolean {
  return [text, ...fields.map(({ detail }) => detail)].some((words) =>
    /already|\btaken\b|duplicate|\bunique\b|\bexists\b/i.test(words),
  );
}

/** What a refusal says of a field or part; `undefined` when it does not name it. */
export function verdictOn(name: string, { text, fields }: Refusal): Verdict | undefined {
  const own = fields.filter(
    ({ pointer, detail }) => lastOf(pointer) === name || (pointer === "" && names(detail, name)),
  );
  const sentences = text.split(/(?<=[.;!?])\s+/).filter((sentence) => names(sentence, name));
  const words = [...own.map(({ detail }) => detail), ...sentences];
  if (words.length === 0) return undefined;
  if (words.some((said) => UNKNOWN.test(said))) return "unknown";
  return words.some((said) => MISSING.test(said)) ? "missing" : "other";
}

/** Whether a refusal has a word in it, by itself or as a field. */
export function mentions(name: string, { text, fields }: Refusal): boolean {
  const word = new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, "i");
  return word.test(text) || fields.some(({ pointer, detail }) => lastOf(pointer) === name || word.test(detail));
}

// `/body/html`, `body.html`, `html`
function lastOf(pointer: string): string {
  return pointer.split(/[/.]/).at(-1) ?? "";
}

// Names such as `file`, `body` and `content` are also words. One counts as a name in quotation marks, beside the word
// field or part, as what is required or missing, or in a list of what is allowed.
function names(sentence: string, name: string): boolean {
  const it = escaped(name);
  const field =
    "(?:form[- ])?(?:fields?|parts?|parameters?|propert(?:y|ies)|keys?|params?|attributes?|arguments?|inputs?)";
  const forms = [
    `["'\`“”‘’«»<]${it}["'\`“”‘’«»>]`,
    `\\b${field}(?: named| called| name|:)*:? +${it}(?![\\w-])`,
    `(?<![\\w-])${it} +${field}\\b`,
    `\\b(?:missing|required|requires?|expected|expects)(?: an?| the)?:? +${it}(?![\\w-]| type| length)`,
    `(?<![\\w-])${it} +(?:is |are |was |must be )?(?:not )?(?:required|missing|mandatory|unknown|expected|allowed|permitted|recogni[sz]ed|given|provided)`,
    `(?:allowed|accepted|known|valid|expected|supported|permitted)[^:=]*[:=].*(?<![\\w-])${it}(?![\\w-])`,
  ];
  return forms.some((form) => new RegExp(form, "i").test(sentence));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
