// Bulk actions on selected list entries, with a confirmation before and a report afterwards. Each record is written in
// its own transaction with the API's rules, so that a rejected one doesn't block others.
import { splitWords, WORD_LIST_HINT } from "../../../base/word-list.ts";
import { PROBLEMS } from "../../../contract/problems.ts";
import { ProblemError } from "../../http/problem.ts";
import type { Context } from "../../resources/context.ts";
import { detailOf, freshForm, readForm, type FormValues } from "../forms.ts";
import { write, type DashboardApp, type DashboardContext } from "../context.ts";
import { type Link, findSection } from "../paths.ts";
import { ButtonLink, renderQuestion } from "./actions.tsx";
import { FieldList, HiddenFields } from "./fields.tsx";
import { MAX_BULK, parsePicked, type BulkAction, type BulkList } from "./list-page.tsx";
import { countOf } from "./lists.tsx";
import { renderPage } from "./page.tsx";

const MAX_NAMED = 10;

type Status = "draft" | "published";

/** Actions to publish and unpublish the entries of a list. */
export function publishActions<Item extends { readonly status: Status }>(
  consequence: string,
  setStatus: (records: Context, item: Item, status: Status) => Promise<unknown>,
): Readonly<Record<"publish" | "unpublish", BulkAction<Item>>> {
  return {
    publish: {
      label: "Publish",
      done: "published",
      leave: ({ status }) => (status === "published" ? "is already published" : undefined),
      run: (records, item) => setStatus(records, item, "published"),
    },
    unpublish: {
      label: "Unpublish",
      done: "unpublished",
      consequence,
      leave: ({ status }) => (status === "draft" ? "is already a draft" : undefined),
      run: (records, item) => setStatus(records, item, "draft"),
    },
  };
}

export function tagAction<Item extends { readonly tags: readonly string[] }>(
  setTags: (records: Context, item: Item, tags: string[]) => Promise<unknown>,
): BulkAction<Item> {
  const hint = `${WORD_LIST_HINT} They are added to the existing tags.`;
  return {
    label: "Tag",
    done: "tagged",
    fields: { tags: { label: "Tags", required: true, hint } },
    run: (records, item, { tags = "" }) => setTags(records, item, [...new Set([...item.tags, ...splitWords(tags)])]),
  };
}

export function registerBulk<Item extends Listed>(app: DashboardApp, route: string, list: BulkList<Item>): void {
  app.post(`${route}/bulk`, async (context) => {
    const form = await readForm(context);
    const { values } = form;
    const name = values["action"] ?? "";
    const action = Object.hasOwn(list.actions, name) ? list.actions[name] : undefined;
    if (action === undefined) throw new ProblemError("invalid_body", { detail: "The form has no known action." });
    const back = values["back"]?.startsWith("?") === true ? values["back"] : "";
    const path = context.req.path.slice(0, -"/bulk".length) + back;
    const title = (await list.titleOf?.(context)) ?? findSection(path)?.title ?? "";
    const parent = { title, path };
    const picked = parsePicked(list, form);
    if (picked === undefined) return explainNothing(context, list.noun, parent);
    if ("respond" in action) return await action.respond(context, picked);
    const { items } = await list.read(context, picked);
    if (items.length === 0) return explainNothing(context, list.noun, parent);
    const bulk = { list, action, parent, items, values };
    const missing = Object.entries(action.fields ?? {}).find(([field, { required }]) => {
      return required === true && (values[field] ?? "").trim() === "";
    });
    if (values["confirmed"] !== "yes" && action.isImmediate !== true) return ask(context, bulk);
    if (missing !== undefined) {
      const [, { label, kind }] = missing;
      return ask(context, bulk, `${label}: ${kind === "choice" ? "choose" : "enter at least"} one.`);
    }
    return await runAll(context, bulk);
  });
}

interface Listed {
  readonly id: string;
}

interface Bulk<Item> {
  readonly list: BulkList<Item>;
  readonly action: BulkAction<Item>;
  readonly parent: Link;
  readonly items: readonly Item[];
  readonly values: FormValues;
}

function explainNothing(context: DashboardContext, noun: string, parent: Link): Response {
  return renderPage(
    context,
    { title: "Nothing is selected", parent, status: 422 },
    <>
      <p>Select at least one {noun} in the list, then choose what to do.</p>
      <p>
        <ButtonLink to={parent.path} variant="quiet" label="Back to the list" />
      </p>
    </>,
  );
}

function ask<Item extends Listed>(
  context: DashboardContext,
  { list, action, parent, items, values }: Bulk<Item>,
  problem?: string,
): Response {
  const { noun } = list;
  const nameOf = (item: Item) => list.nameOf(item, context.var.person);
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
          {changed.map((item) => (
            <>
              <input type="hidden" name="id" value={item.id} />
              <HiddenFields values={{ [seenOf(item)]: versionOf(item) }} />
            </>
          ))}
          {consequence !== undefined && <p>{consequence}</p>}
          <Names title={`Will be ${done}:`} names={changed.map((item) => nameOf(item))} />
          {left.length > 0 && <Names title="Unchanged:" names={left} />}
          {items.length === MAX_BULK && <p>At most {MAX_BULK} are changed at a time. Repeat this for the rest.</p>}
          <FieldList fields={fields} state={state} />
        </>
      ),
    },
    state,
  );
}

/** The field of a confirmation with the version of a record that it showed. */
function seenOf({ id }: Listed): string {
  return `seen-${id}`;
}

/** Returns the version of a record; `undefined` for records that have none. */
function versionOf(item: Listed & { readonly version?: number }): string | undefined {
  return item.version?.toString();
}

/** Returns why a record isn't changed: what was confirmed isn't what it is now. */
function changedSince(item: Listed, values: FormValues): string | undefined {
  const seen = values[seenOf(item)];
  return seen === undefined || seen === versionOf(item)
    ? undefined
    : "changed since the confirmation was shown, and was left as it is. Check it first";
}

async function runAll<Item extends Listed>(context: DashboardContext, bulk: Bulk<Item>): Promise<Response> {
  const { list, action, parent, items, values } = bulk;
  await list.prepare?.(context);
  const refused: string[] = [];
  let count = 0;
  for (const item of items) {
    const reason =
      action.leave?.(item) ??
      changedSince(item, values) ??
      (await refusalOf(() => write(context, (records) => action.run(records, item, values))));
    if (reason === undefined) count += 1;
    else refused.push(`${list.nameOf(item, context.var.person)}: ${reason}`);
  }
  if (action.isImmediate === true && refused.length === 0) {
    const query = new URLSearchParams(values["back"]);
    query.set("notice", "saved");
    return context.redirect(`${context.req.path.slice(0, -"/bulk".length)}?${query}`, 303);
  }
  const summary = `${countOf(count, list.noun)} ${action.done}${refused.length === 0 ? "" : `, ${refused.length} refused`}`;
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

/** Returns why a rule rejects a change; other errors are thrown. */
async function refusalOf(change: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return detailOf(error) ?? PROBLEMS[error.code].title;
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
