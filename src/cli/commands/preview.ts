import type { Page } from "../../client/api.ts";
import { connect } from "../../client/connect.ts";
import { listPreviews, type Preview } from "../../sync/previews/list-previews.ts";
import { removePreview, type Removal } from "../../sync/previews/remove-preview.ts";
import { parsePreviewName } from "../../sync/preview-name.ts";
import { createStateFiles } from "../../sync/state-files.ts";
import { confirmDeletion, type DeletionFlags } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { printable } from "../printable.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { renderTime } from "../table.ts";
import { paintFor } from "../terminal.ts";
import { withProject } from "../with-project.ts";

/** `imprint preview list`: the previews at the service. */
export async function listPreviewsCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  const previews = await withProject({ flags }, context, async ({ projectRoot, target }) => {
    const { slugs } = await createStateFiles(projectRoot, target.identity).readLock();
    const { pagesUrl } = target;
    const api = await connect({ ...target, signal });
    try {
      return await listPreviews(api, { homeSlug: slugs["/"] ?? "index", pagesUrl, signal });
    } finally {
      await api.close();
    }
  });
  context.out.write(flags.json === true ? renderJson(previews) : renderPreviews(previews, context));
  return 0;
}

/** `imprint preview remove <name>`: deletes what imprint published of a preview, and tells what it left. */
export async function removePreviewCommand(text: string, flags: DeletionFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  const name = parsePreviewName(text);
  const removal = await withProject({ flags }, context, async ({ projectRoot, target }) => {
    const api = await connect({ ...target, stop: signal });
    const { identity } = target;
    const ask = (pages: readonly Page[]) => {
      return confirmDeletion(`Delete ${countPages(pages.length)} of the preview ${name}?`, flags, context);
    };
    try {
      return await removePreview(name, api, { projectRoot, identity, signal, confirm: ask });
    } finally {
      await api.close();
    }
  });
  const exitCode = removal.kept.length > 0 || removal.isRefused ? 1 : 0;
  const { removed, kept } = removal;
  const json = { version: 1, name, removed, kept, exitCode };
  context.out.write(flags.json === true ? `${JSON.stringify(json, undefined, 2)}\n` : renderRemoval(removal));
  return exitCode;
}

function renderJson(previews: readonly Preview[]): string {
  const list = previews.map(({ name, pages, updatedAt, url }) => ({
    name,
    pages: pages.length,
    slugs: pages.map(({ slug }) => slug),
    updatedAt: updatedAt?.toISOString(),
    url,
  }));
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

// The address stands on a line of its own: it is to be opened by a click, also in a narrow terminal.
function renderPreviews(previews: readonly Preview[], { out, environment }: CliContext): string {
  if (previews.length === 0) return "There is no preview. Make one with `imprint publish --preview <name>`.\n";
  const paint = paintFor(out, environment);
  const lines = previews.flatMap(({ name, pages, updatedAt, url }) => {
    const age = updatedAt === undefined ? "" : paint("dim", `, ${renderTime(updatedAt)}`);
    const address = url ?? `${pages[0]?.slug ?? ""}, at an address that the service does not tell`;
    return [`  ${paint("strong", name)}  ${countPages(pages.length)}${age}`, `    ${printable(address)}`];
  });
  return `${lines.join("\n")}\n`;
}

function renderRemoval({ name, removed, kept, isRefused }: Removal): string {
  if (isRefused) return `The preview ${name} stays as it is.\n`;
  if (removed.length + kept.length === 0) return `There is no preview ${name}: nothing to delete.\n`;
  const lines = kept.map(({ slug, reason }) => `  ! ${slug}: ${printable(reason)}`);
  const left = kept.length === 0 ? [] : [`${countPages(kept.length)} left:`, ...lines, DASHBOARD];
  const done = removed.length === 0 ? [] : [`Deleted ${countPages(removed.length)} of the preview ${name}.`];
  return `${[...done, ...left].join("\n")}\n`;
}

const DASHBOARD = "Delete them in the service's dashboard if they are to go.";

function countPages(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}
