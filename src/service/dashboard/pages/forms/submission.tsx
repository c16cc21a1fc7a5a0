import { getForm } from "../../../resources/forms.ts";
import { ProblemError } from "../../../http/problem.ts";
import { getSubmission } from "../../../resources/submissions.ts";
import type { Form } from "../../../store/forms.ts";
import type { Submission } from "../../../store/submissions.ts";
import { DangerLink, renderConfirmation } from "../../parts/confirm.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Badge, Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { valueText } from "./value-text.ts";

/** `/forms/:formId/:submissionId`: everything that one person sent. */
export async function showSubmission(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { form, submission } = await find(context);
  return renderShell(
    scene,
    {
      title: submission.email ?? "A submission",
      section: "/forms",
      parent: { title: form.name, path: `/forms/${form.id}` },
      actions: <DangerLink to={`/forms/${form.id}/${submission.id}/delete`} label="Delete" />,
    },
    <>
      <dl>
        <dt>Sent</dt>
        <dd>
          <Time at={submission.createdAt} /> {submission.lead && <Badge mood="good">lead</Badge>}{" "}
          {submission.spam && <Badge mood="bad">spam</Badge>}
        </dd>
        {submission.fields.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd class="sent">{valueText(value) === "" ? <span class="soft">nothing</span> : valueText(value)}</dd>
          </>
        ))}
      </dl>
      {submission.spam && (
        <p class="soft">A field was filled that people don't see, so it is kept apart and caused no event.</p>
      )}
    </>,
  );
}

export async function askToDelete(context: DashboardContext): Promise<Response> {
  const { form, submission } = await find(context);
  const path = `/forms/${form.id}/${submission.id}`;
  return renderConfirmation(
    context.var.scene,
    {
      title: "Delete this submission?",
      section: "/forms",
      parent: { title: submission.email ?? "The submission", path },
      to: `${path}/delete`,
      label: "Delete the submission",
    },
    <p>
      It is erased for good, also from the events and from what is kept of their deliveries. What webhooks have told
      other services stays with them.
    </p>,
  );
}

interface Found {
  readonly form: Form;
  readonly submission: Submission;
}

async function find({ req, var: { scene } }: DashboardContext): Promise<Found> {
  const form = await getForm(scene.records, req.param("formId") ?? "");
  const submission = await getSubmission(scene.records, req.param("submissionId") ?? "");
  if (submission.formId !== form.id) throw new ProblemError("submission_not_found");
  return { form, submission };
}
