// What is ticked in a list is changed together: what will happen is said before, what happened afterwards. Each record is
// written in a transaction of its own by the rule that the API has too, so that one that is refused keeps none back.
import type { Child } from "hono/jsx";
import { PROBLEMS } from "../../../contract/problems.ts";
import { ProblemError } from "../../http/problem.ts";
import type { Context } from "../../resources/context.ts";
import { freshForm, readForm, splitTags, type Fields, type FormValues, type SentForm } from "../forms.ts";
import { write, type DashboardApp, type DashboardContext } from "../context.ts";
import type { Link } from "../paths.ts";
import { ButtonLink, renderQuestion } from "./actions.tsx";
import { FieldList, HiddenFields } from "./fields.tsx";
import { countOf } from "./lists.tsx";
import { renderPage } from "./page.tsx";
import { ForChange } from "./rights.tsx";

/** How many records one form changes. */
export const MAX_BULK = 500;
const MAX_NAMED = 10;

/** One thing that can be done with everything that is ticked. */
export interface BulkAction<Item> {
  /** Of the button, such as `Publish`. */
  readonly label: string;
  /** Such as `published`. */
  readonly done: string;
  readonly danger?: true;
  /** What follows from it, such as that visitors see it. */
  readonly consequence?: string;
  /** What is asked for beside. */
  readonly fields?: Fields;
  /** Why a record is left as it is, such as `is published already`; `undefined` for one that is changed. */
  leave?(item: Item): string | undefined;
  /** Changes one. */
  run(records: Context, item: Item, values: FormValues): Promise<unknown>;
}

export interface BulkPages<Item> {
  /** Route that the form is sent to, such as `/pages/bulk`. */
  readonly route: string;
  /** Such as `page`. */
  readonly noun: string;
  parentOf(context: DashboardContext): Link | Promise<Link>;
  /** Reads the records by their ids, in one go. */
  find(context: DashboardContext, ids: readonly string[]): Promise<readonly Item[]>;
  /** Reads all that a view of the list shows, at most `MAX_BULK`. */
  findAll(context: DashboardContext, search: string): Promise<readonly Item[]>;
  nameOf(item: Item): string;
  /** What has to be done before records are written. */
  prepare?(context: DashboardContext): Promise<unknown>;
  readonly actions: Readonly<Record<string, BulkAction<Item>>>;
}

export const TAG_FIELDS: Fields = {
  tags: { label: "Tags", required: true, hint: "Separated by commas. They are added to the tags that are there." },
};

/** The tags of a record with those that were typed. */
export function withTags(tags: readonly string[], values: FormValues): readonly string[] {
  return [...new Set([...tags, ...splitTags(values["tags"] ?? "")])];
}

/** Registers what a list does with all that is ticked in it. */
export function registerBulk<Item extends { readonly id: string }>(app: DashboardApp, pages: BulkPages<Item>): void {
  app.post(pages.route, async (context) => {
    const form = await readForm(context);
    const { values } = form;
    const name = values["action"] ?? "";
    const action = Object.hasOwn(pages.actions, name) ? pages.actions[name] : undefined;
    if (action === undefined) throw new ProblemError("invalid_body", { detail: "The form names no known action." });
    const { title, path } = await pages.parentOf(context);
    const back = values["back"]?.startsWith("?") === true ? values["back"] : "";
    const parent = { title, path: `${path}${back}` };
    const items = await findChosen(context, pages, form);
    if (items.length === 0) return explainNothing(context, pages.noun, parent);
    const bulk = { pages, action, parent, items, values };
    const missing = Object.entries(action.fields ?? {}).find(([field, { required }]) => {
      return required === true && (values[field] ?? "").trim() === "";
    });
    if (values["confirmed"] !== "yes") return ask(context, bulk);
    if (missing !== undefined) return ask(context, bulk, `${missing[1].label}: enter at least one.`);
    return await runAll(context, bulk);
  });
}

interface Bulk<Item> {
  readonly pages: BulkPages<Item>;
  readonly action: BulkAction<Item>;
  readonly parent: Link;
  readonly items: readonly Item[];
  readonly values: FormValues;
}

async function findChosen<Item>(
  context: DashboardContext,
  { find, findAll }: BulkPages<Item>,
  { values, ids }: SentForm,
): Promise<readonly Item[]> {
  if (values["all"] === "yes") return await findAll(context, values["back"] ?? "");
  return ids.length === 0 ? [] : await find(context, [...new Set(ids)].slice(0, MAX_BULK));
}

function explainNothing(context: DashboardContext, noun: string, parent: Link): Response {
  return renderPage(
    context,
    { title: "Nothing is selected", parent, status: 422 },
    <>
      <p>Tick at least one {noun} in the list, then choose what to do.</p>
      <p>
        <ButtonLink to={parent.path} variant="quiet" label="Back to the list" />
      </p>
    </>,
  );
}

function ask<Item extends { readonly id: string }>(
  context: DashboardContext,
  { pages: { noun, nameOf }, action, parent, items, values }: Bulk<Item>,
  problem?: string,
): Response {
  const { label, done, consequence, fields = {}, danger, leave = () => undefined } = action;
  const judged = items.map((item) => ({ item, reason: leave(item) }));
  const left = judged.flatMap(({ item, reason }) => (reason === undefined ? [] : [`${nameOf(item)} ${reason}`]));
  const changed = judged.flatMap(({ item, reason }) => (reason === undefined ? [item] : []));
  const count = countOf(changed.length, noun);
  const state = { ...freshForm(values), problem, status: problem === undefined ? 200 : 422 };
  if (changed.length === 0) {
    return renderPage(
      context,
      { title: "Nothing to do", parent },
      <>
        <Names title={`Left as ${left.length === 1 ? "it is" : "they are"}:`} names={left} />
        <p>
          <ButtonLink to={parent.path} variant="quiet" label="Back to the list" />
        </p>
      </>,
    );
  }
  return renderQuestion(
    context,
    {
      title: `${label} ${count}?`,
      parent,
      button: `${label} ${count}`,
      ...(danger === undefined && { variant: "plain" as const }),
      fields: { action: values["action"] ?? "", confirmed: "yes", back: values["back"] ?? "" },
      main: (
        <>
          {changed.map(({ id }) => (
            <input type="hidden" name="id" value={id} />
          ))}
          {consequence !== undefined && <p>{consequence}</p>}
          <Names title={`Will be ${done}:`} names={changed.map((item) => nameOf(item))} />
          {left.length > 0 && <Names title="Left as they are:" names={left} />}
          {items.length === MAX_BULK && <p>At most {MAX_BULK} are changed at a time. Repeat this for the rest.</p>}
          <FieldList fields={fields} state={state} />
        </>
      ),
    },
    state,
  );
}

async function runAll<Item>(context: DashboardContext, bulk: Bulk<Item>): Promise<Response> {
  const { pages, action, parent, items, values } = bulk;
  await pages.prepare?.(context);
  const refused: string[] = [];
  let count = 0;
  for (const item of items) {
    const reason =
      action.leave?.(item) ?? (await refusalOf(() => write(context, (records) => action.run(records, item, values))));
    if (reason === undefined) count += 1;
    else refused.push(`${pages.nameOf(item)}: ${reason}`);
  }
  const summary = `${countOf(count, pages.noun)} ${action.done}${refused.length === 0 ? "" : `, ${refused.length} refused`}`;
  return renderPage(
    context,
    { title: summary, parent },
    <>
      <p class={refused.length === 0 ? "notice" : "warning"} role="status">
        {summary}.
      </p>
      {refused.length > 0 && <Names title="Refused:" names={refused} />}
      <p>
        <ButtonLink to={parent.path} label="Back to the list" />
      </p>
    </>,
  );
}

/** Why a rule refuses a change; what fails otherwise is thrown. */
async function refusalOf(change: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.details.detail ?? PROBLEMS[error.code].title;
  }
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  const more = names.length - MAX_NAMED;
  return (
    <>
      <p>{title}</p>
      <ul>
        {names.slice(0, MAX_NAMED).map((name) => (
          <li>{name}</li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </>
  );
}

interface BulkFormProps {
  /** Path that it is sent to. */
  readonly to: string;
  readonly actions: Readonly<Record<string, { readonly label: string; readonly danger?: true }>>;
  /** The view of the list. */
  readonly search: string;
  /** Whether more matches than the page shows. */
  readonly hasMore: boolean;
  readonly children: Child;
}

/** A list in which something can be ticked, and what can be done with it. */
export function BulkForm({ to, actions, search, hasMore, children }: BulkFormProps) {
  return (
    <ForChange to={to} instead={children}>
      <form method="post" action={to} class="bulk">
        <HiddenFields values={{ back: search }} />
        <div class="bulk-bar" role="group" aria-label="With what is selected">
          <label class="choice" data-pick-all hidden>
            <input type="checkbox" class="pick" /> <span data-count>Select all shown</span>
          </label>
          {hasMore && (
            <label class="choice">
              <input type="checkbox" class="pick" name="all" value="yes" /> All that match
            </label>
          )}
          {Object.entries(actions).map(([name, { label, danger }]) => (
            <button type="submit" name="action" value={name} class={danger === true ? "danger" : "quiet"}>
              {label}
            </button>
          ))}
        </div>
        {children}
      </form>
    </ForChange>
  );
}

/** What ticks one record of a list. */
export function Pick({ id, name }: { readonly id: string; readonly name: string }) {
  return <input type="checkbox" class="pick" name="id" value={id} aria-label={`Select ${name}`} />;
}
