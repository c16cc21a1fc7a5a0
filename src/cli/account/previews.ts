import { pluralize } from "../../base/pluralize.ts";
import type { Page } from "../../client/api.ts";
import { listPreviews, type Preview, removePreview, type Removal } from "../../sync/previews.ts";
import { parsePreviewName } from "../../sync/preview-name.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import { printable } from "../terminal.ts";
import { renderTime } from "../table.ts";
import { connectProject, withProject } from "../with-project.ts";
import type { AccountResult, AccountRun } from "./account-command.ts";

/** `imprint preview list`: the previews on the service. */
export async function list({ flags, context, paint, signal }: AccountRun): Promise<AccountResult> {
  const { previews, doubtful } = await withProject({ flags }, context, async (run) => {
    const { api, lock } = await connectProject(run, { signal });
    try {
      return await listPreviews(api, { slugs: lock.slugs, pagesUrl: run.target.pagesUrl, signal });
    } finally {
      await api.close();
    }
  });
  const json = previews.map(({ name, pages, updatedAt, url }) => {
    return { name, pages: pages.length, slugs: pages.map(({ slug }) => slug), updatedAt, url };
  });
  const unclear = doubtful.map((slug) => `  ! ${slug}: its slug doesn't show which preview it belongs to\n`);
  return { json, text: [renderPreviews(previews, paint), ...unclear].join("") };
}

/** `imprint preview remove <name>`: deletes the pages that imprint published, and reports those that it kept. */
export async function remove({ args, flags, context, confirm, signal }: AccountRun): Promise<AccountResult> {
  const name = parsePreviewName(args[0] ?? "");
  const removal = await withProject({ flags }, context, async (run) => {
    const { projectRoot } = run;
    const { identity } = run.target;
    const { api } = await connectProject(run, { stop: signal });
    const ask = (pages: readonly Page[]) =>
      confirm(`Delete ${pluralize(pages.length, "page")} of the preview ${name}?`);
    try {
      return await removePreview(name, api, { projectRoot, identity, signal, confirm: ask });
    } finally {
      await api.close();
    }
  });
  const { removed, kept, isRefused } = removal;
  const exitCode = kept.length > 0 || isRefused ? 1 : 0;
  return { json: { version: 1, name, removed, kept, exitCode }, text: renderRemoval(removal), exitCode };
}

// The address gets its own line, so that it can be clicked in a narrow terminal too.
function renderPreviews(previews: readonly Preview[], paint: Paint): string {
  if (previews.length === 0) return "There are no previews. Create one with `imprint publish --preview <name>`.\n";
  const lines = previews.flatMap(({ name, pages, home, updatedAt, url }) => {
    const age = updatedAt === undefined ? "" : paint("dim", `, ${renderTime(updatedAt)}`);
    const address = url ?? `${home}, at an address that the service doesn't report`;
    return [`  ${paint("strong", name)}  ${pluralize(pages.length, "page")}${age}`, `    ${printable(address)}`];
  });
  return `${lines.join("\n")}\n`;
}

function renderRemoval({ name, removed, kept, isRefused }: Removal): string {
  if (isRefused) return `The preview ${name} was not deleted.\n`;
  if (removed.length + kept.length === 0) return `There is no preview ${name}: nothing to delete.\n`;
  const lines = kept.map(({ slug, reason }) => `  ! ${slug}: ${printable(reason)}`);
  const left = kept.length === 0 ? [] : [`${pluralize(kept.length, "page")} left:`, ...lines, DASHBOARD];
  const done = removed.length === 0 ? [] : [`Deleted ${pluralize(removed.length, "page")} of the preview ${name}.`];
  return `${[...done, ...left].join("\n")}\n`;
}

const DASHBOARD = "Delete them in the service's dashboard if you don't need them.";
