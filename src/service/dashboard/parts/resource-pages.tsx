import type { MiddlewareHandler } from "hono";
import { isDeepStrictEqual } from "node:util";
import { ProblemError } from "../../http/problem.ts";
import { checkRight, type DashboardApp, type DashboardContext, type DashboardEnv } from "../context.ts";
import {
  attempt,
  freshForm,
  overtakenForm,
  readForm,
  respond,
  type FormState,
  type FormValues,
  type Target,
} from "../forms.ts";
import { mergeForm, withBefore } from "../merge-form.ts";
import { renderQuestion, type Question } from "./actions.tsx";

type Shown = Response | Promise<Response>;

type Done = Promise<Target>;

/** The pages of a kind of record and their actions, from which routes are derived. */
export interface ResourcePages<Item> {
  /** Path of the list, such as `/sites`. */
  readonly section: string;
  /** Route of a record, such as `/sites/:siteId`, and base of questions and actions. */
  readonly route: string;
  find(context: DashboardContext): Promise<Item>;
  /** `form` creates records, if the list includes it. */
  list?(context: DashboardContext, form: FormState): Shown;
  readonly create?: CreatePages;
  /** The page of a record, if it contains no form. */
  show?(context: DashboardContext, item: Item): Shown;
  readonly edit?: EditPages<Item>;
  /** Confirmations by the last path segment. */
  readonly questions?: Readonly<Record<string, QuestionPages<Item>>>;
  /** Immediate actions of buttons by the last path segment. */
  readonly actions?: Readonly<Record<string, (context: DashboardContext) => Done>>;
}

export interface CreatePages {
  render(context: DashboardContext, form: FormState): Shown;
  /** Route of that page; omitted if it is the list. */
  readonly route?: string;
  /** Path that the form is submitted to. Default: the section. */
  readonly to?: string;
  readonly values?: FormValues;
  /** Additional names for which the form shows errors. */
  readonly groups?: readonly string[];
  save(context: DashboardContext, values: FormValues): Done;
}

export interface EditPages<Item> {
  render(context: DashboardContext, item: Item, form: FormState): Shown;
  /** Route of that page. Default: the record's route. */
  readonly route?: string;
  /** Route that the form is submitted to. Default: the record's route. */
  readonly to?: string;
  values(item: Item): FormValues;
  readonly groups?: readonly string[];
  save(context: DashboardContext, item: Item, values: FormValues): Done;
}

export interface QuestionPages<Item> {
  ask(context: DashboardContext, item: Item): Question | Promise<Question>;
  answer(context: DashboardContext, item: Item): Done;
}

/** Registers the pages of a kind of record. */
export function resourcePages<Item>(app: DashboardApp, pages: ResourcePages<Item>): void {
  const { section, route, find, list, create, show, edit, questions = {}, actions = {} } = pages;
  if (list !== undefined) app.get(section, (context) => list(context, freshForm()));
  if (create !== undefined) registerCreation(app, section, create);
  if (show !== undefined) app.get(route, async (context) => await show(context, await find(context)));
  if (edit !== undefined) registerEditing(app, pages, edit);
  for (const [name, question] of Object.entries(questions)) {
    const ask = async (context: DashboardContext, form: FormState) =>
      renderQuestion(context, await question.ask(context, await find(context)), form);
    app.get(`${route}/${name}`, onlyForChange, (context) => ask(context, freshForm()));
    app.post(`${route}/${name}`, (context) =>
      attempt(context, {
        values: {},
        accept: async () => question.answer(context, await find(context)),
        // If a rule rejects it, shows the question again with the error.
        again: (form) => ask(context, form),
      }),
    );
  }
  for (const [name, act] of Object.entries(actions)) {
    app.post(`${route}/${name}`, async (context) => respond(context, await act(context)));
  }
}

function registerCreation(app: DashboardApp, section: string, create: CreatePages): void {
  const { render, route, to = section, values: first, groups = [], save } = create;
  if (route !== undefined) app.get(route, onlyForChange, (context) => render(context, freshForm(first)));
  app.post(to, async (context) => {
    const { values } = await readForm(context);
    return await attempt(context, {
      values: withGroups(values, groups),
      accept: () => save(context, values),
      again: (form) => render(context, form),
    });
  });
}

function registerEditing<Item>(
  app: DashboardApp,
  { route, find, show }: ResourcePages<Item>,
  { render, route: formRoute = route, to = route, values: valuesOf, groups = [], save }: EditPages<Item>,
): void {
  // A form that is the page of its record is visible to everyone who may view it.
  if (show !== undefined) app.use(formRoute, onlyForChange);
  app.get(formRoute, async (context) => {
    const item = await find(context);
    return await render(context, item, freshForm(withBefore(valuesOf(item))));
  });
  app.post(to, async (context) => {
    const { values: typed } = await readForm(context);
    const item = await find(context);
    const { values, check } = mergeForm(typed, valuesOf(item));
    // Another request may have written since then.
    const checkAgain = async () => {
      const now = mergeForm(typed, valuesOf(await find(context)));
      now.check();
      if (!isDeepStrictEqual(now.values, values)) throw new ProblemError("version_mismatch");
    };
    return await attempt(context, {
      values: withGroups(values, groups),
      accept() {
        check();
        context.set("precondition", checkAgain);
        return save(context, item, values);
      },
      async again(form, { code }) {
        const saved = await find(context);
        const isOvertaken = code === "version_mismatch";
        return await render(context, saved, isOvertaken ? overtakenForm(form, withBefore(valuesOf(saved))) : form);
      },
    });
  });
}

/** Rejects users who may not make changes, for pages that only serve that purpose. */
export const onlyForChange: MiddlewareHandler<DashboardEnv> = async (context, next) => {
  checkRight(context, "writes");
  await next();
};

function withGroups(values: FormValues, groups: readonly string[]): FormValues {
  return { ...Object.fromEntries(groups.map((name) => [name, ""])), ...values };
}
