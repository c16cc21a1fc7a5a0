import type { MiddlewareHandler } from "hono";
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
import { renderQuestion, type Question } from "./actions.tsx";

type Shown = Response | Promise<Response>;

type Done = Promise<Target>;

/** The pages of one kind of record: what there is and what can be done with it. Their routes follow from it. */
export interface ResourcePages<Item> {
  /** Path of the list, such as `/sites`. */
  readonly section: string;
  /** Route of one record, such as `/sites/:siteId`; questions and actions stand below it. */
  readonly route: string;
  find(context: DashboardContext): Promise<Item>;
  /** `form` is the one in which records are created, where it stands there. */
  list?(context: DashboardContext, form: FormState): Shown;
  readonly create?: CreatePages;
  /** The page of a record that has no form on it. */
  show?(context: DashboardContext, item: Item): Shown;
  readonly edit?: EditPages<Item>;
  /** What is asked before it is done, by the last segment of the path. */
  readonly questions?: Readonly<Record<string, QuestionPages<Item>>>;
  /** What a button does at once, by the last segment of the path. */
  readonly actions?: Readonly<Record<string, (context: DashboardContext) => Done>>;
}

export interface CreatePages {
  /** The page with the form. */
  render(context: DashboardContext, form: FormState): Shown;
  /** Route of that page; absent where it is the list. */
  readonly route?: string;
  /** Where the form is sent to. Default: the section. */
  readonly to?: string;
  /** What the form holds at first. */
  readonly values?: FormValues;
  /** Names under which the form shows errors beside those of its fields. */
  readonly groups?: readonly string[];
  save(context: DashboardContext, values: FormValues): Done;
}

export interface EditPages<Item> {
  render(context: DashboardContext, item: Item, form: FormState): Shown;
  /** Route of that page. Default: that of the record. */
  readonly route?: string;
  /** Where the form is sent to. Default: the route of the record. */
  readonly to?: string;
  /** What the form holds for a record. */
  values(item: Item): FormValues;
  readonly groups?: readonly string[];
  save(context: DashboardContext, item: Item, values: FormValues): Done;
}

export interface QuestionPages<Item> {
  ask(context: DashboardContext, item: Item): Question | Promise<Question>;
  answer(context: DashboardContext): Done;
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
        accept: () => question.answer(context),
        // Where a rule refuses it, the question is asked again with what the rule says.
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
  // A form that is the page of its record is shown to everybody who may look at it.
  if (show !== undefined) app.use(formRoute, onlyForChange);
  app.get(formRoute, async (context) => {
    const item = await find(context);
    return await render(context, item, freshForm(valuesOf(item)));
  });
  app.post(to, async (context) => {
    const { values } = await readForm(context);
    const item = await find(context);
    return await attempt(context, {
      values: withGroups(values, groups),
      accept: () => save(context, item, values),
      async again(form, { code }) {
        const saved = await find(context);
        return await render(context, saved, code === "version_mismatch" ? overtakenForm(form, valuesOf(saved)) : form);
      },
    });
  });
}

/** Refuses a page that is of use only to who may change something. */
export const onlyForChange: MiddlewareHandler<DashboardEnv> = async (context, next) => {
  checkRight(context, "writes");
  await next();
};

function withGroups(values: FormValues, groups: readonly string[]): FormValues {
  return { ...Object.fromEntries(groups.map((name) => [name, ""])), ...values };
}
