import { listForms, type FormSummary } from "../../../store/forms.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Badge, Count, Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";

/** `/forms` */
export async function showForms(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { items, next } = await listForms(scene.records.database, scene.records.accountId, {
    pageSlug: undefined,
    window: windowOf(context),
  });
  return renderShell(
    scene,
    { title: "Forms", section: "/forms", notice: context.req.query("notice") },
    <>
      {items.length === 0 ? (
        <Empty>
          <p>
            No page has a form yet. Every <code>{'<form method="post">'}</code> without an <code>action</code> on a
            published page works by itself: what visitors send is kept here.
          </p>
        </Empty>
      ) : (
        <Table caption="Forms, newest first" columns={["Form", "Page", "State", "Sent", "Last"]}>
          {items.map((form) => (
            <FormRow form={form} />
          ))}
        </Table>
      )}
      <Older next={next} />
    </>,
  );
}

function FormRow({ form }: { readonly form: FormSummary }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/forms/${form.id}`}>{form.name}</a>
      </th>
      <td>
        <code>{form.pageSlug}</code>
      </td>
      <td>
        <Badge mood={form.open ? "good" : "soft"}>{form.open ? "open" : "closed"}</Badge>
      </td>
      <td>
        <Count value={form.submissionCount} />
      </td>
      <td>
        <Time at={form.lastSubmissionAt} />
      </td>
    </tr>
  );
}
