// The submissions of a form as an inbox.
import { pluralize } from "../../../base/pluralize.ts";
import type { SubmissionPatchBody } from "../../../contract/operations/visitors.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import { getForm } from "../../resources/forms.ts";
import { exportCsv, patchSubmission, removeSubmission } from "../../resources/submissions.ts";
import { formatDay } from "../../resources/time-range.ts";
import type { Form } from "../../store/forms.ts";
import {
  countSubmissions,
  type Submission,
  type SubmissionFilter,
  type SubmittedField,
  listSubmissions,
} from "../../store/submissions.ts";
import { paramOf, type DashboardContext } from "../context.ts";
import { csvResponse, ExportLink } from "../parts/actions.tsx";
import {
  ListPart,
  parseQuery,
  readListPage,
  type BulkAction,
  type BulkList,
  type Wanted,
} from "../parts/list-page.tsx";
import { Badge, COUNT_FORMAT, searchOf, Tabs, Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { formTitle } from "../parts/titles.ts";
import { ForChange } from "../parts/rights.tsx";

const DAY_MS = 24 * 60 * 60 * 1000;

export async function findForm(context: DashboardContext): Promise<Form> {
  return await getForm(context.var.records, paramOf(context, "formId"));
}

const VIEWS = ["", "unread", "leads", "spam"] as const;
const NAMES = { "": "Everything", unread: "Unread", leads: "Leads", spam: "Spam" } as const;

/** The submissions of a form, with search, filters and bulk actions. */
export const INBOX: BulkList<Submission> = {
  titleOf: async (context) => formTitle(await findForm(context)),
  noun: "submission",
  search: { label: "Find a submission", placeholder: "Any text in it" },
  filters: { show: { label: "Show" }, from: { label: "From", kind: "date" }, to: { label: "To", kind: "date" } },
  tab: "show",
  orders: ["created", "oldest"],
  async read(context, wanted) {
    const { reader, accountId } = context.var.records;
    return await listSubmissions(reader, accountId, { filter: filterOf(context, wanted), window: wanted.window });
  },
  nameOf: ({ email, createdAt }) => `${email ?? "Submission"} of ${createdAt.toISOString().slice(0, 10)}`,
  actions: {
    read: markAction("Mark as read", { read: true }, "marked as read"),
    unread: markAction("Mark as unread", { read: false }, "marked as unread"),
    spam: markAction("Spam", { spam: true, read: true }, "moved to spam"),
    ham: markAction("Not spam", { spam: false }, "moved out of spam"),
    export: { label: "Export as CSV", respond: exportWanted },
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence:
        "This permanently deletes them and their copies in events and deliveries. What webhooks have already sent to other services stays there.",
      run: (records, { id, pageSlug }) => removeSubmission(records, { pageSlug, id }),
    },
  },
};

function filterOf(context: DashboardContext, { ids, text, filters: { show, from, to } }: Wanted): SubmissionFilter {
  return {
    formId: paramOf(context, "formId"),
    ...(ids === undefined
      ? { spam: show === "spam", leadsOnly: show === "leads", unread: show === "unread" }
      : { ids }),
    text,
    from: dayOf(from),
    until: dayOf(to, 1),
  };
}

async function exportWanted(context: DashboardContext, wanted: Wanted): Promise<Response> {
  const { records } = context.var;
  const { pageSlug } = await findForm(context);
  return csvResponse(exportCsv(records, filterOf(context, wanted)), `${pageSlug}-${formatDay(records.now.getTime())}`);
}

/** Exports everything in the current view of the inbox as CSV. */
export async function exportShown(context: DashboardContext): Promise<Response> {
  return await exportWanted(context, parseQuery(INBOX, context.req.query()).wanted);
}

/** Marks selected submissions; this can be undone, so it needs no confirmation. */
function markAction(label: string, patch: SubmissionPatchBody, done: string): BulkAction<Submission> {
  return { label, done, isImmediate: true, run: (records, { id }) => patchSubmission(records, id, patch) };
}

/** Returns the start of a day in UTC, plus `later` days; `undefined` if invalid. */
function dayOf(day = "", later = 0): Date | undefined {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(start) ? undefined : new Date(start + later * DAY_MS);
}

/** Shows a form's submissions as a table of all fields. */
export async function showForm(context: DashboardContext, form: Form): Promise<Response> {
  const { reader, accountId, addresses } = context.var.records;
  const submissions = await readListPage(context, INBOX);
  const view = VIEWS.find((each) => each === submissions.values["show"]) ?? "";
  const counts = await countSubmissions(reader, accountId, form.id);
  const path = `/forms/${form.id}`;
  const pathOf = (each: (typeof VIEWS)[number]) => (each === "" ? path : `${path}?show=${each}`);
  const countIn = { "": counts.all, unread: counts.unread, leads: counts.leads, spam: counts.spam } as const;
  return renderPage(
    context,
    {
      title: formTitle(form),
      actions: <ExportLink to={`${path}/submissions.csv${searchOf(submissions.values)}`} label="Export as CSV" />,
    },
    <>
      <p class="soft">
        {form.open ? "On the page " : "Formerly on the page "}
        <a href={publicPageUrl(addresses, form.pageSlug)}>{form.pageSlug}</a>
        {!form.open && ", which no longer has it: it accepts no submissions"}.
      </p>
      <Tabs
        tabs={VIEWS.map((each) => [pathOf(each), `${NAMES[each]} ${COUNT_FORMAT.format(countIn[each])}`])}
        current={pathOf(view)}
      />
      <ListPart
        of={submissions}
        empty={counts.spam > 0 ? <AllSpam count={counts.spam} path={pathOf("spam")} /> : NO_SUBMISSIONS}
        caption="Submissions"
        columns={[
          ["Time", (submission) => <SubmissionLink submission={submission} />, "when"],
          ...fieldNames(form, submissions.items).map(
            (name) =>
              [name, ({ fields }: Submission) => <Sent text={textOf(new Map(fields).get(name))} />, "cell"] as const,
          ),
          ["", ({ lead }) => lead && <Badge variant="good">lead</Badge>],
        ]}
      />
    </>,
  );
}

const NO_SUBMISSIONS = (
  <>
    No one has submitted this form yet. Open its page and submit it once to see how a submission arrives.
    <ForChange to="/people">
      {" "}
      You can receive submissions by mail (see <a href="/people">People</a>) or through a{" "}
      <a href="/webhooks">webhook</a>.
    </ForChange>
  </>
);

function AllSpam({ count, path }: { readonly count: number; readonly path: string }) {
  return (
    <>
      There is only <a href={path}>spam: {pluralize(count, "submission")}</a>. What isn’t spam can be moved out of
      there.
    </>
  );
}

/** Longer addresses wrap, like all other texts. */
const LONGEST_LINE = 64;

function Sent({ text }: { readonly text: string }) {
  return <span class={/^\S+@\S+$/.test(text) && text.length <= LONGEST_LINE ? "line" : undefined}>{text}</span>;
}

function SubmissionLink({ submission: { id, formId, createdAt, read } }: { readonly submission: Submission }) {
  return (
    <>
      <a href={`/forms/${formId}/${id}`}>
        <Time at={createdAt} />
      </a>{" "}
      {!read && <Badge variant="plain">new</Badge>}
    </>
  );
}

function fieldNames({ fields, honeypot }: Form, submissions: readonly Submission[]): readonly string[] {
  const sent = new Set(submissions.flatMap((submission) => submission.fields.map(([name]) => name)));
  const known = fields.map(({ name }) => name).filter((name) => name !== honeypot && sent.has(name));
  return [...new Set([...known, ...sent])];
}

/** Returns the submitted value of a field as text; empty if it wasn't submitted. */
export function textOf(value: SubmittedField[1] | undefined): string {
  return [value ?? ""].flat().join(", ");
}
