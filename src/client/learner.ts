import { refusalOf, type Refusal } from "./refusal.ts";
import { failureOf } from "./transport/outcome.ts";

// Hosts differ in how they want to be written to, and only their refusals tell. A refusal says that nothing was
// stored, so that the next likely form may be tried without making a second record.

/** Sends one kind of content in the form that the host takes. */
export interface Learner<Form, Content> {
  send<Result>(content: Content, attempt: (form: Form) => Promise<Result>): Promise<Result>;
}

export interface LearnerOptions<Form, Content> {
  /** What to begin with: what is known from before, else the form of the specification. */
  readonly initial: Form;
  /** What the host has to take for this content to pass in this form: `body json`, `field title`. */
  readonly featuresOf: (form: Form, content: Content) => readonly string[];
  /** The next likely form after a refusal; `undefined` when it is about the content, or when every form was tried. */
  readonly nextForm: (step: Step<Form, Content>) => Form | undefined;
  /**
   * What a second form may be answered with, beside a refusal, without hiding the refusal of the first: `failures` where
   * sending it twice changes nothing, or nothing, where a failure leaves open whether a record was made.
   */
  readonly hides: "failures" | "nothing";
  /** Keeps a form that the host took. `isNew` where another one was refused before. */
  readonly keep: (form: Form, learned: { readonly isNew: boolean }) => void;
}

export interface Step<Form, Content> {
  readonly form: Form;
  /** The form that was tried first. */
  readonly start: Form;
  readonly content: Content;
  readonly refusal: Refusal;
  /** Features that the host took before: a refusal can't be about them. */
  readonly accepted: ReadonlySet<string>;
  /** Whether the content was sent in this form, or in one that looks the same. */
  readonly isTried: (form: Form) => boolean;
}

// Content that no form helps must not be sent in every form again and again.
const MAX_FAILED_WALKS = 3;
const MAX_UNANSWERED = 2;

export function createLearner<Form, Content>(options: LearnerOptions<Form, Content>): Learner<Form, Content> {
  const { featuresOf } = options;
  const accepted = new Set<string>();
  const turns = createTurns();
  let current = options.initial;
  let failedWalks = 0;
  let unanswered = 0;

  const isKnown = (content: Content) => featuresOf(current, content).every((feature) => accepted.has(feature));

  function accept(form: Form, { content, isNew }: { readonly content: Content; readonly isNew: boolean }): void {
    const isNews = featuresOf(form, content).some((feature) => !accepted.has(feature));
    for (const feature of featuresOf(form, content)) accepted.add(feature);
    current = form;
    if (isNews || isNew) options.keep(form, { isNew });
  }

  async function walk<Result>(content: Content, attempt: (form: Form) => Promise<Result>): Promise<Result> {
    const tried = new Set<string>();
    const looks = (form: Form) => featuresOf(form, content).join();
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
          throw first !== undefined && options.hides === "failures" && isFailure(error) ? first.error : error;
        }
        first ??= { error };
        const step = { form, start, content, refusal, accepted, isTried: (other: Form) => tried.has(looks(other)) };
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
    async send(content, attempt) {
      const isOver = () => isKnown(content) || failedWalks >= MAX_FAILED_WALKS;
      if (isOver()) return attempt(current);
      // A service that fails teaches nothing, so that nobody waits for one who learns from it.
      if (unanswered >= MAX_UNANSWERED) return walk(content, attempt);
      const leave = await turns.enter(isOver);
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

interface Turns {
  /** Waits until nobody else learns; `undefined` when `isOver` holds by then. */
  enter(isOver: () => boolean): Promise<(() => void) | undefined>;
}

// The first one learns, the others wait until it has.
function createTurns(): Turns {
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
