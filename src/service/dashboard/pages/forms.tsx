import { titlesOf } from "../../../contract/fields.ts";
import { formRecord } from "../../../contract/records.ts";
import { getSubmission, patchSubmission, removeSubmission } from "../../resources/submissions.ts";
import { getForm } from "../../resources/forms.ts";
import { ProblemError } from "../../http/problem.ts";
import { type Form, type FormSummary, listForms } from "../../store/forms.ts";
import { findRow } from "../../store/rows.ts";
import { countUnread, type Submission } from "../../store/submissions.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { readForm } from "../forms.ts";
import { Action, ButtonLink } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { choiceFilter, ListPart, PART_FILTER, partOf, readListPage, type ListPage } from "../parts/list-page.tsx";
import { Badge, COUNT_FORMAT, Facts, Time } from "../parts/lists.tsx";
import { isAllowed } from "../paths.ts";
import { exportShown, findForm, INBOX, showForm, textOf } from "./inbox.tsx";
import { renderPage, streamPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { formTitle } from "../parts/titles.ts";

const TITLES = titlesOf(formRecord);

const LIST: ListPage<FormSummary> = {
  noun: "form",
  search: { label: "Find a form", placeholder: "Name or page" },
  filters: { status: choiceFilter("Status", ["open", "closed"]), part: PART_FILTER },
  orders: ["latest", "created", "oldest", "name"],
  async read({ var: { records } }, { filters, ...sought }) {
    const { status } = filters;
    const open = status === "open" || status === "closed" ? status === "open" : undefined;
    return await listForms(records.reader, records.accountId, {
      ...sought,
      open,
      part: partOf({ filters, ...sought }),
    });
  },
};

/** Registers the forms of published pages and their submissions. */
export function registerFormPages(app: DashboardApp): void {
  app.get("/forms/:formId/submissions.csv", exportShown);
  resourcePages(app, {
    section: "/forms",
    route: "/forms/:formId",
    find: findForm,
    list: showForms,
    show: showForm,
  });
  registerBulk(app, "/forms/:formId", INBOX);
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
    actions: {
      async mark(context) {
        const { form, submission } = await findSubmission(context);
        const { values } = await readForm(context);
        const patch = values["spam"] === undefined ? { read: false } : { spam: values["spam"] === "true" };
        await write(context, (records) => patchSubmission(records, submission.id, patch));
        return `/forms/${form.id}?notice=saved`;
      },
    },
  });
}

function showForms(context: DashboardContext): Response {
  const { reader, accountId } = context.var.records;
  const empty = (
    <>
      No page has a form yet. Every <code>{'<form method="post">'}</code> without an <code>action</code> on a published
      page works automatically: what visitors submit is kept here.
    </>
  );
  return streamPage(context, {}, async () => {
    const forms = await readListPage(context, LIST);
    const ids = forms.items.map(({ id }) => id);
    const unread = await countUnread(reader, accountId, ids);
    return (
      <ListPart
        of={forms}
        empty={empty}
        caption="Forms"
        columns={[
          ["Form", (form) => <a href={`/forms/${form.id}`}>{formTitle(form)}</a>],
          [TITLES.pageSlug, ({ pageSlug }) => <code>{pageSlug}</code>],
          ["Status", ({ open }) => <Badge variant={open ? "good" : "soft"}>{open ? "open" : "closed"}</Badge>],
          ["Unread", ({ id }) => unreadLink(id, unread.get(id))],
          [TITLES.submissionCount, ({ submissionCount }) => submissionCount],
          [TITLES.lastSubmissionAt, ({ lastSubmissionAt }) => <Time at={lastSubmissionAt} />],
        ]}
      />
    );
  });
}

function unreadLink(id: string, count = 0) {
  return count === 0 ? 0 : <a href={`/forms/${id}?show=unread`}>{COUNT_FORMAT.format(count)}</a>;
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

/** Shows a submission, and marks it as read if the user may change it. */
async function showSubmission(context: DashboardContext, { form, submission }: FormSubmission): Promise<Response> {
  const { id, email, createdAt, lead, spam, read, fields } = submission;
  const path = `/forms/${form.id}`;
  const { accountId, database } = context.var.records;
  const page = await findRow(database, "page", { accountId, slug: form.pageSlug });
  const pageTitle = page?.title ?? formTitle(form);
  if (!read && isAllowed(context.var.person.scopes, path, "writes")) {
    await write(context, (records) => patchSubmission(records, id, { read: true }));
  }
  return renderPage(
    context,
    {
      title: email ?? "Submission",
      parent: { title: formTitle(form), path },
      actions: (
        <>
          {email !== null && <ButtonLink to={replyTo(email, pageTitle)} label="Reply by mail" />}
          <Action to={`${path}/${id}/mark`} label="Mark as unread" />
          <Action to={`${path}/${id}/mark`} label={spam ? "Not spam" : "Spam"} fields={{ spam: String(!spam) }} />
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
        <p class="soft">
          Spam is kept separately and triggers no events: a hidden field was filled in, or someone marked it.
        </p>
      )}
    </>,
  );
}

/** Returns a link that opens a reply in the user's mail program. The visitor knows the page by its title. */
function replyTo(email: string, pageTitle: string): string {
  // The visitor wrote the address: nothing in it may add fields to the mail.
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${pageTitle}`)}`;
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
  // A form without a page is deleted with its last submission.
  const form = await findRow(database, "form", { accountId, id: formId });
  return `${form === undefined ? "/forms" : `/forms/${formId}`}?notice=submission-deleted`;
}
