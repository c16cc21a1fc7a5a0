import { escapePattern } from "../base/escape-pattern.ts";
import { isDeepStrictEqual } from "node:util";
import { PROBLEMS } from "../contract/problems.ts";
import type { EncodedBody } from "./transport/body.ts";
import type { FieldError } from "./transport/error-body.ts";
import { failureOf } from "./transport/outcome.ts";

// Hosts differ in how they want to be written to, and only their refusals show it. A refusal says that nothing was
// stored, so that the next likely form may be tried without making a second record.

/** One way to send a content. */
export interface Form {
  readonly body: EncodedBody;
  /** Distinguishes the form from others, for idempotency keys; empty for the one that is tried first. */
  readonly id: string;
}

/** Sends one kind of content in the form that the host takes. */
export interface Writer<Content> {
  send<Result>(content: Content, attempt: (form: Form) => Promise<Result>): Promise<Result>;
}

interface WriterOptions<Shape, Content> {
  /** The form of the specification. */
  readonly usual: Shape;
  /** What is known of the host's form from before. */
  readonly known: { readonly [Name in keyof Shape]?: Shape[Name] | undefined };
  readonly encode: (shape: Shape, content: Content) => EncodedBody;
  /** What the host has to take for this content to pass in this form: `body json`, `field title`. */
  readonly featuresOf: (shape: Shape, content: Content) => readonly string[];
  /** The next likely form after a refusal; `undefined` when it is about the content, or when every form was tried. */
  readonly nextForm: (step: Step<Shape, Content>) => Shape | undefined;
  /**
   * Whether the refusal of the first form is thrown where the service fails at a second one. Not where such a failure
   * leaves open whether a record was made. Default: false.
   */
  readonly hidesFailures?: boolean;
  /** Keeps a form that the host took. `isNew` where another one was refused before. */
  readonly keep: (shape: Shape, learned: { readonly isNew: boolean }) => void;
}

export interface Step<Shape, Content> {
  readonly form: Shape;
  /** The form that was tried first. */
  readonly start: Shape;
  readonly content: Content;
  readonly refusal: Refusal;
  /** Features that the host took before: a refusal can't be about them. */
  readonly accepted: ReadonlySet<string>;
  /** Whether the content was sent in this form, or in one that looks the same. */
  readonly isTried: (form: Shape) => boolean;
}

// Content that no form helps must not be sent in every form again and again.
const MAX_FAILED_WALKS = 3;
const MAX_UNANSWERED = 2;

export function createWriter<Shape extends object, Content>(options: WriterOptions<Shape, Content>): Writer<Content> {
  const { usual, known, featuresOf, encode } = options;
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  const accepted = new Set<string>();
  const queue = createQueue();
  let current: Shape = { ...usual, ...Object.fromEntries(given) };
  let failedWalks = 0;
  let unanswered = 0;

  const isKnown = (content: Content) => featuresOf(current, content).every((feature) => accepted.has(feature));

  function accept(form: Shape, { content, isNew }: { readonly content: Content; readonly isNew: boolean }): void {
    const isNews = featuresOf(form, content).some((feature) => !accepted.has(feature));
    for (const feature of featuresOf(form, content)) accepted.add(feature);
    current = form;
    if (isNews || isNew) options.keep(form, { isNew });
  }

  async function walk<Result>(content: Content, attempt: (shape: Shape) => Promise<Result>): Promise<Result> {
    const tried = new Set<string>();
    const looks = (form: Shape) => featuresOf(form, content).join();
    const start = current;
    let form = start;
    let first: { readonly error: unknown } | undefined;
    for (;;) {
      tried.add(looks(form));
      try {
        const result = await attempt(form);
        accept(form, { content, isNew: first !== undefined });
        return result;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) {
          unanswered++;
          throw first !== undefined && options.hidesFailures === true && isFailure(error) ? first.error : error;
        }
        first ??= { error };
        const step = { form, start, content, refusal, accepted, isTried: (other: Shape) => tried.has(looks(other)) };
        const next = options.nextForm(step);
        if (next === undefined || step.isTried(next)) {
          if (tried.size > 1) failedWalks++;
          throw first.error;
        }
        form = next;
      }
    }
  }

  return {
    async send(content, send) {
      const attempt = (shape: Shape) =>
        send({ body: encode(shape, content), id: isDeepStrictEqual(shape, usual) ? "" : JSON.stringify(shape) });
      const isOver = () => isKnown(content) || failedWalks >= MAX_FAILED_WALKS;
      if (isOver()) return attempt(current);
      // A service that fails teaches nothing, so that nobody waits for one who learns from it.
      if (unanswered >= MAX_UNANSWERED) return walk(content, attempt);
      const leave = await queue.enter(isOver);
      if (leave === undefined) return attempt(current);
      try {
        return await walk(content, attempt);
      } finally {
        leave();
      }
    },
  };
}

function isFailure(error: unknown): boolean {
  return (failureOf(error)?.status ?? 0) >= 500;
}

interface Queue {
  /** Waits until nobody else learns; `undefined` when `isOver` holds by then. */
  enter(isOver: () => boolean): Promise<(() => void) | undefined>;
}

// The first one learns, the others wait until it has.
function createQueue(): Queue {
  let busy: Promise<void> | undefined;
  return {
    async enter(isOver) {
      while (busy !== undefined) await busy;
      if (isOver()) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      busy = promise;
      return () => {
        busy = undefined;
        resolve();
      };
    },
  };
}

/** An answer that refused what was sent, and stored nothing of it. */
export interface Refusal {
  readonly status: 400 | 413 | 415 | 422;
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
  if (status !== 400 && status !== 413 && status !== 415 && status !== 422) return undefined;
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
  const word = new RegExp(`(?<![\\w-])${escapePattern(name)}(?![\\w-])`, "i");
  return word.test(text) || fields.some(({ pointer, detail }) => lastOf(pointer) === name || word.test(detail));
}

/** Whether a service refused a page for its slug, in words that may be about which characters it takes. */
export function isSlugRefusal(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal !== undefined && mentions("slug", refusal) && !speaksOfDuplicate(refusal);
}

// `/body/html`, `body.html`, `html`
function lastOf(pointer: string): string {
  return pointer.split(/[/.]/).at(-1) ?? "";
}

// Names such as `file`, `body` and `content` are also words. One counts as a name in quotation marks, beside the word
// field or part, as what is required or missing, or in a list of what is allowed.
function names(sentence: string, name: string): boolean {
  const it = escapePattern(name);
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
