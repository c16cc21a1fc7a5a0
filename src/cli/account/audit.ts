import { AUDIT_WORDS } from "../../contract/people.ts";
import { renderTable, renderTime } from "../table.ts";
import { requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";

/** `imprint audit`: the newest entries of the audit log. */
export async function audit({ flags, withApi, signal }: AccountRun): Promise<AccountResult> {
  const { action } = flags;
  const items = await withApi((api) => {
    requireOperation(api, {
      operation: "audit.list",
      action: "show the audit log",
      hint: "Use a key with all scopes, or the dashboard.",
    });
    return api.audit.list({ limit: 100, action, signal });
  });
  const rows = items.map((entry) => [
    renderTime(entry.createdAt),
    AUDIT_WORDS[entry.action],
    entry.actor,
    entry.subject ?? entry.subjectId ?? "",
    [entry.detail, entry.address].filter((part) => part !== null).join(", "),
  ]);
  return { json: items, text: items.length === 0 ? "The audit log is empty.\n" : renderTable(rows) };
}
