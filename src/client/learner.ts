import { escapePattern } from "../base/escape-pattern.ts";
import { isDeepStrictEqual } from "node:util";
import { PROBLEMS } from "../contract/problems.ts";
import { plainDemands } from "./plain-demands.ts";
import type { EncodedBody } from "./transport/body.ts";
import type { FieldError } from "./transport/error-body.ts";
import { failureOf } from "./transport/outcome.ts";
import { speaksOfQuota } from "./transport/room-words.ts";

// Hosts differ in the request formats that they accept, and only their rejections show it. A rejection means that
// nothing was stored, so the next likely form can be tried without creating a second record.

/** One way to send content. */
export interface Form {
  readonly body: EncodedBody;
  /** Distinguishes the form from others, for idempotency keys; empty for the form tried first. */
  readonly id: string;
}

/** Sends one kind of content in the form that the host accepts. */
export interface Writer<Content> {
  send<Result>(content: Content, attempt: (form: Form) => Promise<Result>): Promise<Result>;
}

interface WriterOptions<Shape, Content> {
  /** The form defined by the specification. */
  readonly usual: Shape;
  /** What is already known about the host's form. */
  readonly known: { readonly [Name in keyof Shape]?: Shape[Name] | undefined };
  readonly encode: (shape: Shape, content: Content) => EncodedBody;
  /** What the host must accept for this content in this form: `body json`, `field title`. */
  readonly featuresOf: (shape: Shape, content: Content) => readonly string[];
  /**
   * Returns the next likely form after a rejection, or `undefined` if it concerns the content or every form was tried.
   */
  readonly nextForm: (step: Step<Shape, Content>) => Shape | undefined;
  /**
   * Whether to throw the rejection of the first form if the service fails with a second one. Not if such a failure
   * leaves open whether a record was created. Default: false.
   */
  readonly hidesFailures?: boolean;
  /**
   * Whether a form leaves out content that another one has. If the rejection of that one doesn't speak of unknown
   * fields, it may only have concerned the value of a field, so such a form is kept once it has helped twice. Default:
   * every form is kept.
   */
  readonly leavesOut?: (shape: Shape, start: Shape) => boolean;
  /** Called if the host rejected content in every form, with the first rejection. */
  readonly giveUp?: (refusal: Refusal) => void;
  /**
   * Saves a form that the host accepted. `isNew` if another one was rejected before; `isDoubtful` if the form is used
   * only for this content.
   */
  readonly keep: (shape: Shape, learned: Learned) => void;
}

interface Learned {
  readonly isNew: boolean;
  readonly isDoubtful: boolean;
}

export interface Step<Shape, Content> {
  readonly form: Shape;
  /** The form that was tried first. */
  readonly start: Shape;
  readonly content: Content;
  readonly refusal: Refusal;
  /** Features that the host accepted before, so a rejection can't concern them. */
  readonly accepted: ReadonlySet<string>;
  /** Whether the content was sent in this form, or in one that looks the same. */
  readonly isTried: (form: Shape) => boolean;
}

type Attempt<Shape, Result> = (shape: Shape) => Promise<Result>;

/** A form that the host has just rejected for the same content. */
interface Refused<Shape> {
  readonly form: Shape;
  readonly error: unknown;
}

// Content that no form can fix must not be sent in every form repeatedly.
const MAX_FAILED_WALKS = 3;
const MAX_UNANSWERED = 2;

export function createWriter<Shape extends object, Content>(options: WriterOptions<Shape, Content>): Writer<Content> {
  const { usual, known, featuresOf, encode } = options;
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  const accepted = new Set<string>();
  const queue = createQueue();
  let current: Shape = { ...usual, ...Object.fromEntries(given) };
  const walks = createWalkRecord(options);
  let unanswered = 0;

  // Whether an earlier run, or the user, knew the whole form. A refusal shows that the host has changed.
  let isGiven = given.length === Object.keys(usual).length;

  const isKnown = (content: Content) => featuresOf(current, content).every((feature) => accepted.has(feature));

  function accept(form: Shape, { content, isNew }: { readonly content: Content; readonly isNew: boolean }): void {
    const isNews = featuresOf(form, content).some((feature) => !accepted.has(feature));
    for (const feature of featuresOf(form, content)) accepted.add(feature);
    current = form;
    if (isNews || isNew) options.keep(form, { isNew, isDoubtful: false });
  }

  async function walk<Result>(content: Content, attempt: Attempt<Shape, Result>, refused?: Refused<Shape>) {
    const tried = new Set<string>();
    const looks = (form: Shape) => featuresOf(form, content).join();
    const start = current;
    let form = start;
    let first: { readonly error: unknown; readonly refusal: Refusal } | undefined;
    for (;;) {
      const isRefused = refused?.form === form;
      tried.add(looks(form));
      try {
        const result = await (isRefused ? Promise.reject(refused.error) : attempt(form));
        if (!walks.isDoubtful(form, start, first?.refusal)) accept(form, { content, isNew: first !== undefined });
        return result;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) {
          unanswered++;
          throw first !== undefined && options.hidesFailures === true && isFailure(error) ? first.error : error;
        }
        // A rejection of a form doesn't explain why the host rejects the content in another one.
        if (first === undefined || (speaksOfBody(first.refusal) && !speaksOfBody(refusal))) first = { error, refusal };
        const step = { form, start, content, refusal, accepted, isTried: (other: Shape) => tried.has(looks(other)) };
        const next = options.nextForm(step);
        if (next === undefined || step.isTried(next)) {
          if (tried.size > 1) walks.recordFailure(first.refusal);
          throw first.error;
        }
        form = walks.untriedDoubt(step) ?? next;
      }
    }
  }

  return {
    async send(content, send) {
      const attempt = (shape: Shape) =>
        send({ body: encode(shape, content), id: isDeepStrictEqual(shape, usual) ? "" : JSON.stringify(shape) });
      const isOver = () => isKnown(content) || walks.areOver();
      if (isOver()) return attempt(current);
      // A failing service teaches nothing, so other requests don't wait for one that tries to learn.
      if (unanswered >= MAX_UNANSWERED) return walk(content, attempt);
      let refused: Refused<Shape> | undefined;
      if (isGiven) {
        const form = current;
        try {
          const result = await attempt(form);
          if (isGiven) accept(form, { content, isNew: false });
          return result;
        } catch (error) {
          if (refusalOf(error) === undefined) throw error;
          isGiven = false;
          refused = { form, error };
        }
      }
      const leave = await queue.enter(isOver);
      if (leave === undefined) {
        if (refused?.form === current) throw refused.error;
        return attempt(current);
      }
      try {
        return await walk(content, attempt, refused);
      } finally {
        leave();
      }
    },
  };
}

/** What trying several forms has shown: failures, and a form that has to help again before it is used for everything. */
function createWalkRecord<Shape extends object>({
  leavesOut,
  giveUp,
  keep,
}: Pick<WriterOptions<Shape, never>, "leavesOut" | "giveUp" | "keep">) {
  let doubtful: Shape | undefined;
  let failures = 0;
  return {
    areOver: () => failures >= MAX_FAILED_WALKS,
    recordFailure(refusal: Refusal): void {
      failures++;
      giveUp?.(refusal);
    },
    untriedDoubt: ({ isTried }: Pick<Step<Shape, never>, "isTried">) =>
      doubtful !== undefined && !isTried(doubtful) ? doubtful : undefined,
    isDoubtful(form: Shape, start: Shape, refusal: Refusal | undefined): boolean {
      if (refusal === undefined || leavesOut?.(form, start) !== true || speaksOfUnknown(refusal)) return false;
      if (isDeepStrictEqual(form, doubtful)) return false;
      doubtful = form;
      keep(form, { isNew: true, isDoubtful: true });
      return true;
    },
  };
}

function isFailure(error: unknown): boolean {
  return (failureOf(error)?.status ?? 0) >= 500;
}

interface Queue {
  /** Waits until nobody else is learning; returns `undefined` if `isOver` is true by then. */
  enter(isOver: () => boolean): Promise<(() => void) | undefined>;
}

// The first request learns, and the others wait for it.
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

/** A response that rejected the request and stored nothing. */
export interface Refusal {
  readonly status: 400 | 413 | 415 | 422;
  /** The service's own message. */
  readonly text: string;
  /** Messages about individual fields. */
  readonly fields: readonly FieldError[];
}

/**
 * Returns the rejection behind an error if another form of the same content may help. `undefined` for everything else:
 * other statuses, an earlier attempt that may have been carried out, and problems of our own service, which accepts the
 * forms sent first.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  const failure = failureOf(error);
  if (failure === undefined || failure.mayBeDone) return undefined;
  const { status, problemCode, requestId, said = "", fields = [] } = failure;
  if (status !== 400 && status !== 413 && status !== 415 && status !== 422) return undefined;
  const isOurs = problemCode !== undefined && problemCode in PROBLEMS && requestId !== undefined;
  if (isOurs || problemCode?.startsWith("idempotency_") === true) return undefined;
  // A full account refuses every form.
  if (speaksOfQuota(said)) return undefined;
  return { status, text: said, fields };
}

/** What a rejection indicates about a name: that it is unknown, that it is missing, or something else. */
export type Verdict = "unknown" | "missing" | "other";

const UNKNOWN =
  /unknown|unrecogni[sz]ed|unexpected|additional|extra\b|unpermitted|unsupported|not (?:allowed|permitted|accepted|known|supported|recogni[sz]ed|expected|understood|defined)|does(?: not|n't) (?:exist|know|take|accept)|no such|invalid (?:field|key|property|parameter|attribute)/i;
const MISSING =
  /missing|required|mandatory|must (?:be (?:set|given|present|provided|sent)|have|contain|include)|expect(?:s|ed)?\b|needs?\b|no (?:file|part|field)|not (?:found|provided|given|present|sent)|(?:can't|cannot|can not) be (?:blank|empty)|blank|undefined|null\b/i;

// "is not allowed to exceed 60 characters" and "must have at most 60 characters" concern the content.
const TOO_LONG = /\btoo long\b|\blonger\b|\bexceed|\bat most\b|\bmax(?:imum)?\b/i;

/** Whether a rejection concerns unknown fields, whatever their names. */
export function speaksOfUnknown({ text, fields }: Refusal): boolean {
  return UNKNOWN.test(text) || fields.some(({ detail }) => UNKNOWN.test(detail));
}

/** Whether a rejection indicates that a record with this slug or name already exists. */
export function speaksOfDuplicate({ text, fields }: Refusal): boolean {
  return [text, ...fields.map(({ detail }) => detail)].some((words) =>
    /already|\btaken\b|duplicate|\bunique\b|\bexists\b/i.test(words),
  );
}

/** Whether a rejection demands a field that isn't among these names, so that no form of the content helps. */
export function demandsOther(known: readonly string[], { text, fields }: Refusal): boolean {
  const demanded = [...demandedAt(fields), ...demandedIn(text)].map(lastOf);
  return demanded.length > 0 && !demanded.some((name) => known.includes(name));
}

/** Names of the fields that a rejection demands, none of which is known or part of a known one. */
export function findDemanded(known: readonly string[], { status, text, fields }: Refusal): readonly string[] {
  const named = demandedAt(fields);
  const demanded = [...new Set(named.length > 0 ? named : demandedIn(text))];
  // `body` is also where frameworks found the field.
  const isKnown = demanded.some((name) => {
    const [last = "", ...parents] = name.split(/[/.[\]]+/).toReversed();
    return known.includes(last) || parents.some((parent) => parent !== "body" && known.includes(parent));
  });
  return isKnown || status === 413 || status === 415 ? [] : demanded.map(lastOf);
}

function demandedAt(fields: Refusal["fields"]): readonly string[] {
  const demanded = fields.filter(({ pointer, detail }) => MISSING.test(detail) && isFieldName(lastOf(pointer)));
  return demanded.map(({ pointer }) => pointer);
}

function demandedIn(text: string): readonly string[] {
  const sentences = text.split(/(?<=[.;!?])\s+/).filter((sentence) => MISSING.test(sentence));
  const named = sentences.flatMap(identifiersIn).filter((name) => isFieldName(lastOf(name)));
  return named.length > 0 ? named : plainDemands(text);
}

function isFieldName(name: string): boolean {
  return name !== "" && !MISSING.test(name);
}

// Quoted names, and those that are no ordinary words: `primaryColor`, `primary_color`.
function identifiersIn(sentence: string): readonly string[] {
  const names = sentence.matchAll(/["'`]([\w.[\]-]+)["'`]|\b([a-z]+(?:[A-Z]\w*|_\w+))\b/g);
  return Array.from(names, ([, quoted = "", plain = quoted]) => plain);
}

// "contains unsupported characters"
const OF_VALUE = /\b(?:characters?|values?|emojis?)\b/i;

const SPEAKS_OF_FIELD = /\b(?:fields?|propert(?:y|ies)|keys?|parameters?|attributes?|arguments?|columns?)\b/i;

export interface Judged {
  /** The value that was sent. */
  readonly value?: unknown;
  /**
   * Whether the host accepted the field before: "does not exist" then concerns its value. Default: false.
   */
  readonly isKnown?: boolean;
}

/** What a rejection indicates about a field or part; `undefined` if it doesn't name it. */
export function verdictOn(
  name: string,
  { text, fields }: Pick<Refusal, "text" | "fields">,
  { value, isKnown = false }: Judged = {},
): Verdict | undefined {
  const own = fields.filter(
    ({ pointer, detail }) => lastOf(pointer) === name || (pointer === "" && names(detail, name)),
  );
  // A part of a value: the host knows the field.
  if (own.some(({ pointer }) => INDEX.test(pointer))) return "other";
  const sentences = text.split(/(?<=[.;!?])\s+/).filter((sentence) => names(sentence, name));
  const words = [...own.map(({ detail }) => detail), ...sentences];
  if (words.length === 0) return undefined;
  const findForm = (pattern: RegExp) => words.filter((said) => pattern.test(said) && !TOO_LONG.test(said));
  const isOfValue = (said: string) => OF_VALUE.test(said) || quotes(said, { name, value });
  const isOfField = (said: string) => !isKnown || SPEAKS_OF_FIELD.test(said) || names(said, name);
  const unknown = findForm(UNKNOWN);
  if (unknown.some((said) => isOfField(said) && !isOfValue(said))) return "unknown";
  return unknown.length === 0 && findForm(MISSING).length > 0 ? "missing" : "other";
}

/** Whether a message contains the value of a field, or one of several: "unknown tag: weather". */
function quotes(said: string, { name, value }: { readonly name: string; readonly value: unknown }): boolean {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.some((each) => {
    if (typeof each !== "string" || each.length < 2 || each.toLowerCase() === name.toLowerCase()) return false;
    return new RegExp(`(?<![\\w-])${escapePattern(each)}(?![\\w-])`, "i").test(said);
  });
}

/** Whether a rejection concerns the format of the body. */
export function speaksOfBody({ text }: Refusal): boolean {
  return /content[- ]type|media type|multipart|form-data|urlencoded|\bjson\b|\bbody\b/i.test(text);
}

/** Whether a rejection contains a word, in its text or as a field. */
export function mentions(name: string, { text, fields }: Refusal): boolean {
  const word = new RegExp(`(?<![\\w-])${escapePattern(name)}(?![\\w-])`, "i");
  return word.test(text) || fields.some(({ pointer, detail }) => lastOf(pointer) === name || word.test(detail));
}

/** Whether a service rejected a page's slug in a way that may concern its characters. */
export function isSlugRefusal(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal !== undefined && mentions("slug", refusal) && !speaksOfDuplicate(refusal);
}

const INDEX = /[/.[]\d+\]?$/;

// `/body/tags/0`, `body.tags`, `tags[0]`
function lastOf(pointer: string): string {
  return pointer.replace(INDEX, "").split(/[/.]/).at(-1) ?? "";
}

// Names such as `file`, `body`, and `content` are also ordinary words. One counts as a name if it is quoted, next to
// the word field or part, described as required or missing, or in a list of allowed names.
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
