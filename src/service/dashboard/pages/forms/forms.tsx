import { exportCsv, findExportFilter, removeSubmission } from "../../../resources/submissions.ts";
import { getForm } from "../../../resources/forms.ts";
import { formatDay } from "../../../resources/time-range.ts";
import { csvResponse } from "../../parts/csv-response.ts";
import { write, type DashboardApp, type DashboardContext } from "../../scene.ts";
import { findForm } from "../../../store/forms.ts";
import { showForm } from "./form.tsx";
import { showForms } from "./list.tsx";
import { askToDelete, showSubmission } from "./submission.tsx";

/** Forms of published pages and what was sent through them. */
export function registerFormPages(app: DashboardApp): void {
  app.get("/forms", showForms);
  app.get("/forms/:formId", showForm);
  app.get("/forms/:formId/submissions.csv", exportForm);
  app.get("/forms/:formId/:submissionId", showSubmission);
  app.get("/forms/:formId/:submissionId/delete", askToDelete);
  app.post("/forms/:formId/:submissionId/delete", async (context) => {
    const { formId, submissionId } = context.req.param();
    await write(context.var.scene, async (records) => {
      const { pageSlug } = await getForm(records, formId);
      await removeSubmission(records, { pageSlug, id: submissionId });
    });
    return context.redirect(`${await findWayBack(context, formId)}?notice=submission-deleted`, 303);
  });
}

// With its last submission a form goes that no page holds any more.
async function findWayBack({ var: { scene } }: DashboardContext, formId: string): Promise<string> {
  const { database, accountId } = scene.records;
  return (await findForm(database, { accountId, id: formId })) === undefined ? "/forms" : `/forms/${formId}`;
}

/** What `forms.export` answers: everything but spam, or only what brought a new address. */
async function exportForm(context: DashboardContext): Promise<Response> {
  const { records } = context.var.scene;
  const filter = await findExportFilter(records, {
    formId: context.req.param("formId") ?? "",
    leadsOnly: context.req.query("show") === "leads",
  });
  return csvResponse(exportCsv(records, filter), `${filter.pageSlug}-${formatDay(records.now.getTime())}`);
}
