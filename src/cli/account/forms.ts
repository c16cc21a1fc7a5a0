import { ImprintError } from "../../base/error.ts";
import { listNames } from "../../base/list-names.ts";
import type { Form, Submission } from "../../client/records/visitor-records.ts";
import type { SubmissionListing } from "../../client/resources/visitors.ts";
import { formRecord } from "../../contract/records.ts";
import { writeOutput } from "../output-file.ts";
import { printable } from "../terminal.ts";
import { renderRecords, renderTable, renderTime, shorten } from "../table.ts";
import { withNamedPage } from "./named-page.ts";
import { keepPart } from "./preview-pages.ts";
import type { AccountFlags, AccountResult, AccountRun } from "./account-command.ts";

/** `imprint forms list`: the forms, or the submissions of a page. */
export async function list({ args, flags, context, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [page] = args;
  const query = { ...parseRange(flags), form: flags.form, spam: flags.spam, unread: flags.unread };
  const filter = Object.entries(query).find(([, value]) => value !== undefined)?.[0];
  if (page === undefined && filter !== undefined) {
    throw new ImprintError("USAGE", `--${filter} filters the submissions of one page.`, {
      hint: `Name the page: \`imprint forms list <page> --${filter}\`.`,
    });
  }
  return withApi(async (api) => {
    if (page === undefined) {
      const { items } = await api.forms.list({}, { signal });
      const { shown, more } = keepPart(items, { flags, of: ({ pageSlug = "" }) => pageSlug, command: "forms list" });
      return { json: shown, text: renderForms(shown) + more };
    }
    const { items, unproven } = await withNamedPage(page, { api, signal }, () =>
      api.submissions.list(page, query, { signal }),
    );
    context.error.write(warnOfFilters(unproven));
    const json = items.map(({ id, fields, ...facts }) => {
      return { submissionId: id, ...facts, fields: Object.fromEntries(fields) };
    });
    return { json, text: renderSubmissions(items) };
  });
}

function warnOfFilters(unproven: SubmissionListing["unproven"]): string {
  if (unproven.length === 0) return "";
  const [flags, verb] = [
    listNames(unproven.map((name) => `--${name}`)),
    unproven.length === 1 ? "it filters" : "they filter",
  ];
  return `The service may have ignored ${flags}: the submissions don't show what ${verb} by.\n`;
}

export { exportForms as export };

/** `imprint forms export`: to standard output or to a file. */
async function exportForms({ args, flags, context, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [page] = args;
  const format = flags.json === true ? "json" : flags.format;
  const request = { ...parseRange(flags), pageSlug: page, format, leadsOnly: flags.leads };
  const text = await withApi((api) =>
    withNamedPage(page, { api, signal }, () => api.forms.export(request, { signal })),
  );
  if (flags.out === undefined) return { document: text };
  await writeOutput(flags.out, text, context);
  context.error.write(`Written to ${flags.out}.\n`);
  return { document: "" };
}

/** Returns the days of `--from` and `--to`; throws `USAGE` for an invalid day. */
export function parseRange({ from, to }: AccountFlags): Pick<AccountFlags, "from" | "to"> {
  for (const [name, day] of Object.entries({ from, to })) {
    if (day === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)))) continue;
    throw new ImprintError("USAGE", `--${name} accepts a day such as 2026-08-01, not "${day}".`);
  }
  return { from, to };
}

function renderForms(forms: readonly Form[]): string {
  if (forms.length === 0) {
    return 'No published page has a form. To add one, put a <form method="post"> without an action on a page.\n';
  }
  const fields = (form: Form) => form.fields.map(({ name }) => name).join(", ");
  const columns = ["pageSlug", "name", "submissionCount", "lastSubmissionAt", ["fields", fields]] as const;
  return renderRecords(formRecord, forms, columns);
}

const MAX_SHOWN = 60;

function renderSubmissions(submissions: readonly Submission[]): string {
  if (submissions.length === 0) return "There are no submissions.\n";
  return submissions
    .map(({ id, createdAt, lead, read, fields }) => {
      const head = `  ${createdAt === undefined ? "" : renderTime(createdAt)}  ${id}${lead === true ? "  new lead" : ""}${read === false ? "  unread" : ""}\n`;
      const rows = [...fields].map(([name, value]) => {
        return ["  ", printable(name), shorten(printable([value].flat().join("; ")), MAX_SHOWN)];
      });
      return head + renderTable(rows);
    })
    .join("\n");
}
