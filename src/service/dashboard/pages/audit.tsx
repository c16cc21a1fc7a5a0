import { AUDIT_ACTIONS, auditRecord } from "../../../contract/people.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { listAuditEntries } from "../../store/audit.ts";
import type { DashboardApp, DashboardContext } from "../context.ts";
import { Filter } from "../parts/fields.tsx";
import { TableList, Time, windowOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";

const TITLES = titlesOf(auditRecord);

/** The audit log, for owners. */
export function registerAuditPages(app: DashboardApp): void {
  app.get("/audit", showAudit);
}

async function showAudit(context: DashboardContext): Promise<Response> {
  const { database, accountId } = context.var.records;
  const wanted = context.req.query("action") ?? "";
  const action = AUDIT_ACTIONS.find((each) => each === wanted);
  const entries = await listAuditEntries(database, accountId, { action, window: windowOf(context) });
  const options = [["", "Everything"] as const, ...AUDIT_ACTIONS.map((each) => [each, each] as const)];
  return renderPage(
    context,
    {},
    <>
      <Filter
        fields={{ action: { label: TITLES.action, kind: "choice", options } }}
        values={{ action: action ?? "" }}
      />
      <TableList
        of={entries}
        empty="Nothing was recorded."
        caption="Audit log, newest first"
        columns={[
          [TITLES.createdAt, ({ createdAt }) => <Time at={createdAt} />],
          [TITLES.action, ({ action: done }) => <code>{done}</code>],
          [TITLES.actor, ({ actor }) => actor, "words"],
          [TITLES.subject, ({ subject, subjectId }) => subject ?? subjectId ?? "–", "words"],
          [TITLES.detail, ({ detail, address }) => [detail, address].filter((part) => part !== null).join(", ") || "–"],
        ]}
      />
    </>,
  );
}
