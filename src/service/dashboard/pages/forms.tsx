import { titlesOf } from "../../../contract/fields.ts";
import { formRecord } from "../../../contract/records.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import { exportCsv, findExportFilter, getSubmission, removeSubmission } from "../../resources/submissions.ts";
import { getForm } from "../../resources/forms.ts";
import { ProblemError } from "../../http/problem.ts";
import { formatDay } from "../../resources/time-range.ts";
import { listForms, type Form } from "../../store/forms.ts";
import { findRow } from "../../store/rows.ts";
import { countSubmissions, listSubmissions, type Submission, type SubmittedField } from "../../store/submissions.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { ButtonLink, csvResponse, ExportLink } from "../parts/actions.tsx";
import { Badge, Facts, List, Table, TableList, Tabs, Time, windowOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const TITLES = titlesOf(formRecord);

/** Forms of published pages and what was sent through them. */
export function registerFormPages(app: DashboardApp): void {
  app.get("/forms/:formId/submissions.csv", exportForm);
  resourcePages(app, {
    section: "/forms",
    route: "/forms/:formId",
    find: (context) => getForm(context.var.records, paramOf(context, "formId")),
    list: showForms,
    show: showForm,
  });
  resourcePages(app, {
    section: "/forms/:formId",
    route: "/forms/:formId/:submissionId",
    find: findSubmission,
    show: showSubmission,
    questions: {
      delete: {
        ask: (_, { form, submission }) => ({
          title: "Delete this submission?",
          parent: { title: submission.email ?? "Submission", path: `/forms/${form.id}/${submission.id}` },
          button: "Delete submission",
          main: (
            <p>
              It is permanently erased, including its copies in events and deliveries. What webhooks have already sent
              to other services stays there.
            </p>
          ),
        }),
        answer: deleteSubmission,
      },
    },
  });
}

async function showForms(context: DashboardContext): Promise<Response> {
  const { reader, accountId } = context.var.records;
  const forms = await listForms(reader, accountId, { pageSlug: undefined, window: windowOf(context) });
  const empty = (
    <>
      No page has a form yet. Every <code>{'<form method="post">'}</code> without an <code>action</code> on a published
      page works automatically: what visitors submit is kept here.
    </>
  );
  return renderPage(
    context,
    {},
    <TableList
      of={forms}
      empty={empty}
      caption="Forms, newest first"
      columns={[
        ["Form", ({ id, name }) => <a href={`/forms/${id}`}>{name}</a>],
        [TITLES.pageSlug, ({ pageSlug }) => <code>{pageSlug}</code>],
        ["Status", ({ open }) => <Badge variant={open ? "good" : "soft"}>{open ? "open" : "closed"}</Badge>],
        [TITLES.submissionCount, ({ submissionCount }) => submissionCount],
        [TITLES.lastSubmissionAt, ({ lastSubmissionAt }) => <Time at={lastSubmissionAt} />],
      ]}
    />,
  );
}

const VIEWS = ["all", "leads", "spam"] as const;
const NAMES = { all: "Everything", leads: "Leads", spam: "Spam" } as const;
const EMPTY = {
  all: "This form has no submissions yet.",
  leads: "No submission has brought a new email address yet.",
  spam: "No spam has been caught yet.",
} as const;

/** What was sent through a form, as a table over all fields. */
async function showForm(context: DashboardContext, form: Form): Promise<Response> {
  const { reader, accountId, addresses } = context.var.records;
  const view = VIEWS.find((each) => each === context.req.query("show")) ?? "all";
  const submissions = await listSubmissions(reader, accountId, {
    filter: { formId: form.id, spam: view === "spam", leadsOnly: view === "leads" },
    window: windowOf(context),
  });
  const counts = await countSubmissions(reader, accountId, form.id);
  const path = `/forms/${form.id}`;
  const pathOf = (each: (typeof VIEWS)[number]) => (each === "all" ? path : `${path}?show=${each}`);
  const csv = `${path}/submissions.csv`;
  return renderPage(
    context,
    {
      title: form.name,
      actions:
        view === "leads" ? (
          <ExportLink to={`${csv}?show=leads`} label="Export leads as CSV" />
        ) : (
          view === "all" && <ExportLink to={csv} label="Export as CSV" />
        ),
    },
    <>
      <p class="soft">
        {form.open ? "On the page " : "Formerly on the page "}
        <a href={publicPageUrl(addresses, form.pageSlug)}>{form.pageSlug}</a>
        {!form.open && ", which no longer has it: it accepts no submissions"}.
      </p>
      <Tabs tabs={VIEWS.map((each) => [pathOf(each), `${NAMES[each]} ${counts[each]}`])} current={pathOf(view)} />
      <List of={submissions} query={{ show: view === "all" ? undefined : view }} empty={EMPTY[view]}>
        <SubmissionTable form={form} submissions={submissions.items} />
      </List>
    </>,
  );
}

function SubmissionTable({ form, submissions }: { readonly form: Form; readonly submissions: readonly Submission[] }) {
  return (
    <Table
      caption="Submissions, newest first"
      rows={submissions}
      columns={[
        ["Time", ({ id, createdAt }) => <SubmissionLink path={`/forms/${form.id}/${id}`} at={createdAt} />, "when"],
        ...fieldNames(form, submissions).map(
          (name) =>
            [name, ({ fields }: Submission) => <span>{textOf(new Map(fields).get(name))}</span>, "cell"] as const,
        ),
        ["", ({ lead }) => lead && <Badge variant="good">lead</Badge>],
      ]}
    />
  );
}

function SubmissionLink({ path, at }: { readonly path: string; readonly at: Date }) {
  return (
    <a href={path}>
      <Time at={at} />
    </a>
  );
}

/** The fields as the form has them, then those that only submissions have, such as of an older form. */
function fieldNames({ fields, honeypot }: Form, submissions: readonly Submission[]): readonly string[] {
  const sent = new Set(submissions.flatMap((submission) => submission.fields.map(([name]) => name)));
  const known = fields.map(({ name }) => name).filter((name) => name !== honeypot && sent.has(name));
  return [...new Set([...known, ...sent])];
}

/** What was sent in a field as one text; empty for a field that was not sent. */
function textOf(value: SubmittedField[1] | undefined): string {
  return [value ?? ""].flat().join(", ");
}

/** What `forms.export` answers: everything but spam, or only what brought a new address. */
async function exportForm(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const leadsOnly = context.req.query("show") === "leads";
  const filter = await findExportFilter(records, { formId: paramOf(context, "formId"), leadsOnly });
  return csvResponse(exportCsv(records, filter), `${filter.pageSlug}-${formatDay(records.now.getTime())}`);
}

interface FormSubmission {
  readonly form: Form;
  readonly submission: Submission;
}

async function findSubmission(context: DashboardContext): Promise<FormSubmission> {
  const form = await getForm(context.var.records, paramOf(context, "formId"));
  const submission = await getSubmission(context.var.records, paramOf(context, "submissionId"));
  if (submission.formId !== form.id) throw new ProblemError("submission_not_found");
  return { form, submission };
}

/** Everything that one person sent. */
function showSubmission(context: DashboardContext, { form, submission }: FormSubmission): Response {
  const { id, email, createdAt, lead, spam, fields } = submission;
  const path = `/forms/${form.id}`;
  return renderPage(
    context,
    {
      title: email ?? "Submission",
      parent: { title: form.name, path },
      actions: (
        <>
          {email !== null && <ButtonLink to={replyTo(email, form)} label="Reply by mail" />}
          <ButtonLink to={`${path}/${id}/delete`} variant="danger" label="Delete" />
        </>
      ),
    },
    <>
      <Facts
        rows={[
          [
            "Sent",
            <>
              <Time at={createdAt} /> {lead && <Badge variant="good">lead</Badge>}{" "}
              {spam && <Badge variant="bad">spam</Badge>}
            </>,
          ],
          ...fields.map(([name, value]) => [name, <Sent text={textOf(value)} />] as const),
        ]}
      />
      {spam && (
        <p class="soft">A field that people don't see was filled in, so it is kept apart and triggered no event.</p>
      )}
    </>,
  );
}

/** Opens a mail in the program of whoever answers. */
function replyTo(email: string, { name, pageSlug }: Form): string {
  // Who sent it wrote the address: nothing in it may become a field of the mail.
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${name} (${pageSlug})`)}`;
}

function Sent({ text }: { readonly text: string }) {
  return text === "" ? <span class="soft">nothing</span> : <div class="sent">{text}</div>;
}

async function deleteSubmission(context: DashboardContext): Promise<string> {
  const { database, accountId } = context.var.records;
  const formId = paramOf(context, "formId");
  await write(context, async (records) => {
    const { pageSlug } = await getForm(records, formId);
    await removeSubmission(records, { pageSlug, id: paramOf(context, "submissionId") });
  });
  // With its last submission a form goes that no page holds any more.
  const form = await findRow(database, "form", { accountId, id: formId });
  return `${form === undefined ? "/forms" : `/forms/${formId}`}?notice=submission-deleted`;
}
