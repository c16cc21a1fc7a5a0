import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Form, Submission } from "../../client/visitors-api.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { printable } from "../printable.ts";
import { parseRangeFlags, type RangeFlags } from "../range-flags.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { renderTable, renderTime } from "../table.ts";
import { withApi } from "../with-api.ts";

export interface ListFlags extends PublishFlags, RangeFlags {
  readonly form?: string;
  readonly spam?: boolean;
}

/** `imprint forms list`: the forms, or what was sent through those of a page. */
export async function listFormsCommand(
  page: string | undefined,
  flags: ListFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { out, signal } = context;
  const range = parseRangeFlags(flags);
  await withApi(flags, context, async (api) => {
    if (page === undefined) {
      const { items } = await api.forms.list({}, { signal });
      out.write(flags.json === true ? toJson(items) : renderForms(items));
      return;
    }
    const query = { ...range, form: flags.form, spam: flags.spam };
    const { items } = await api.submissions.list(page, query, { signal });
    out.write(flags.json === true ? toJson(items.map(toPlain)) : renderSubmissions(items));
  });
  return 0;
}

export interface ExportFlags extends PublishFlags, RangeFlags {
  readonly format: "csv" | "json";
  readonly leads?: boolean;
  readonly out?: string;
}

/** `imprint forms export`: to the standard output or into a file. */
export async function exportFormsCommand(
  page: string | undefined,
  flags: ExportFlags,
  context: CliContext,
): Promise<ExitCode> {
  const range = parseRangeFlags(flags);
  const format = flags.json === true ? "json" : flags.format;
  const request = { ...range, pageSlug: page, format, leadsOnly: flags.leads } as const;
  const text = await withApi(flags, context, (api) => api.forms.export(request, { signal: context.signal }));
  if (flags.out === undefined) {
    context.out.write(text);
    return 0;
  }
  await writeFile(resolve(context.cwd, flags.out), text);
  context.error.write(`Written to ${flags.out}.\n`);
  return 0;
}

function toPlain({ id, fields, ...facts }: Submission): object {
  return { submissionId: id, ...facts, fields: Object.fromEntries(fields) };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function renderForms(forms: readonly Form[]): string {
  if (forms.length === 0)
    return 'There is no form on a published page. A <form method="post"> without action makes one.\n';
  const rows = forms.map(({ pageSlug = "", name = "", submissionCount, lastSubmissionAt, fields }) => [
    pageSlug,
    name,
    submissionCount === undefined ? "" : String(submissionCount),
    lastSubmissionAt === undefined ? "" : renderTime(lastSubmissionAt),
    fields.map((field) => field.name).join(", "),
  ]);
  return renderTable([["Page", "Form", "Sent", "Last", "Fields"], ...rows]);
}

const MAX_SHOWN = 60;

function renderSubmissions(submissions: readonly Submission[]): string {
  if (submissions.length === 0) return "Nothing was sent.\n";
  return submissions
    .map(({ id, createdAt, lead, fields }) => {
      const head = `  ${createdAt === undefined ? "" : renderTime(createdAt)}  ${id}${lead === true ? "  new lead" : ""}\n`;
      const rows = [...fields].map(([name, value]) => [
        "  ",
        printable(name),
        shorten(printable([value].flat().join("; "))),
      ]);
      return head + renderTable(rows);
    })
    .join("\n");
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
