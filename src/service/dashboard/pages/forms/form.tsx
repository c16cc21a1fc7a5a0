import { publicPageUrl } from "../../../resources/addresses.ts";
import { getForm } from "../../../resources/forms.ts";
import type { Form } from "../../../store/forms.ts";
import {
  countSubmissions,
  listSubmissions,
  type Submission,
  type SubmissionCounts,
} from "../../../store/submissions.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Badge, Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { valueText } from "./value-text.ts";

const SHOWN = ["all", "leads", "spam"] as const;

type Shown = (typeof SHOWN)[number];

const NAMES: Readonly<Record<Shown, string>> = { all: "Everything", leads: "Leads", spam: "Spam" };

/** `/forms/:formId`: what was sent, as a table over all fields. */
export async function showForm(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId, addresses } = scene.records;
  const form = await getForm(scene.records, context.req.param("formId") ?? "");
  const shown = SHOWN.find((each) => each === context.req.query("show")) ?? "all";
  const { items, next } = await listSubmissions(database, accountId, {
    filter: { formId: form.id, spam: shown === "spam", leadsOnly: shown === "leads" },
    window: windowOf(context),
  });
  const counts = await countSubmissions(database, accountId, form.id);
  return renderShell(
    scene,
    {
      title: form.name,
      section: "/forms",
      parent: { title: "Forms", path: "/forms" },
      notice: context.req.query("notice"),
      actions: shown === "spam" ? undefined : <ExportLink form={form} shown={shown} />,
    },
    <>
      <p class="soft">
        {form.open ? "On the page " : "Was on the page "}
        <a href={publicPageUrl(addresses, form.pageSlug)}>{form.pageSlug}</a>
        {!form.open && ", which holds it no more: it takes nothing"}.
      </p>
      <Tabs form={form} shown={shown} counts={counts} />
      {items.length === 0 ? (
        <Empty>
          <p>{EMPTY[shown]}</p>
        </Empty>
      ) : (
        <SubmissionTable form={form} items={items} />
      )}
      <Older next={next} query={{ show: shown === "all" ? undefined : shown }} />
    </>,
  );
}

const EMPTY: Readonly<Record<Shown, string>> = {
  all: "Nobody has sent this form yet.",
  leads: "Nobody has sent an e-mail address that was not known yet.",
  spam: "Nobody has walked into the trap of this form.",
};

function ExportLink({ form, shown }: { readonly form: Form; readonly shown: Shown }) {
  return (
    <a
      class="button quiet"
      href={`/forms/${form.id}/submissions.csv${shown === "leads" ? "?show=leads" : ""}`}
      download
    >
      {shown === "leads" ? "Export leads as CSV" : "Export as CSV"}
    </a>
  );
}

interface TabsProps {
  readonly form: Form;
  readonly shown: Shown;
  readonly counts: SubmissionCounts;
}

function Tabs({ form, shown, counts }: TabsProps) {
  return (
    <ul class="tabs above">
      {SHOWN.map((each) => (
        <li>
          <a
            href={each === "all" ? `/forms/${form.id}` : `/forms/${form.id}?show=${each}`}
            aria-current={each === shown ? "true" : undefined}
          >
            {NAMES[each]} {counts[each]}
          </a>
        </li>
      ))}
    </ul>
  );
}

function SubmissionTable({ form, items }: { readonly form: Form; readonly items: readonly Submission[] }) {
  const names = fieldNames(form, items);
  return (
    <Table caption="What was sent, newest first" columns={["When", ...names, ""]}>
      {items.map((submission) => {
        const values = new Map(submission.fields);
        return (
          <tr>
            <th scope="row" class="when">
              <a href={`/forms/${form.id}/${submission.id}`}>
                <Time at={submission.createdAt} />
              </a>
            </th>
            {names.map((name) => (
              <td class="cell">
                <span>{valueText(values.get(name))}</span>
              </td>
            ))}
            <td>{submission.lead && <Badge mood="good">lead</Badge>}</td>
          </tr>
        );
      })}
    </Table>
  );
}

/** The fields as the form has them, then those that only submissions have, such as of an older form. */
function fieldNames({ fields, honeypot }: Form, items: readonly Submission[]): readonly string[] {
  const sent = new Set(items.flatMap((submission) => submission.fields.map(([name]) => name)));
  const known = fields.map(({ name }) => name).filter((name) => name !== honeypot && sent.has(name));
  return [...new Set([...known, ...sent])];
}
