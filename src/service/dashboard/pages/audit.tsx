import { AUDIT_ACTIONS, AUDIT_WORDS, auditRecord } from "../../../contract/people.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { type AuditEntry, listAuditEntries } from "../../store/audit.ts";
import type { DashboardApp, DashboardContext } from "../context.ts";
import { choiceFilter, ListPart, readListPage, type ListPage } from "../parts/list-page.tsx";
import { renderPage } from "../parts/page.tsx";

const TITLES = titlesOf(auditRecord);

const LIST: ListPage<AuditEntry> = {
  noun: "record",
  search: { label: "Find a record", placeholder: "Person, key, name or details" },
  filters: { action: choiceFilter(TITLES.action, Object.entries(AUDIT_WORDS)) },
  orders: ["created", "oldest"],
  async read({ var: { records } }, { filters, ...wanted }) {
    const action = AUDIT_ACTIONS.find((each) => each === filters["action"]);
    return await listAuditEntries(records.reader, records.accountId, { ...wanted, action });
  },
};

/** Registers the audit log, for owners. */
export function registerAuditPages(app: DashboardApp): void {
  app.get("/audit", showAudit);
}

async function showAudit(context: DashboardContext): Promise<Response> {
  const entries = await readListPage(context, LIST);
  return renderPage(
    context,
    {},
    <ListPart
      of={entries}
      empty="Nothing was recorded."
      caption="Audit log"
      headerColumn={1}
      columns={[
        [TITLES.createdAt, ({ createdAt }) => createdAt],
        [TITLES.action, ({ action: done }) => AUDIT_WORDS[done], "words"],
        [TITLES.actor, ({ actor }) => actor, "words"],
        [TITLES.subject, ({ subject, subjectId }) => subject ?? subjectId ?? "–", "words"],
        [TITLES.detail, ({ detail, address }) => [detail, address].filter((part) => part !== null).join(", ") || "–"],
      ]}
    />,
  );
}
