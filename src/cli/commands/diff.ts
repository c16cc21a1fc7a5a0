import type { Paint } from "../../sync/report/render-text.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { openProject, withTarget } from "../with-project.ts";
import { publish, type PublishRequest } from "../../publish.ts";
import { diffPage } from "../../sync/page-diff.ts";
import { findPreviewName } from "../../contract/slug.ts";
import { isPreviewOf, previewSlug } from "../../sync/preview-name.ts";
import { findNamedPreview } from "../../target/run-mode.ts";

type Planned = Parameters<NonNullable<PublishRequest["onPlanned"]>>[0];

/** `imprint diff <slug>`: what publishing would change in one page. */
export async function diff({ args, flags, context, paint }: CommandRun<PublishFlags>): Promise<CommandResult> {
  const [slug = "", dist] = args;
  let patch = "";
  const project = await openProject({ dist, flags }, context);
  const preview = findNamedPreview(project.options, { environment: project.environment, flags });
  let name = slug;
  async function onPlanned(planned: Planned): Promise<void> {
    const asked = { name: preview ?? "", page: slug };
    if (preview !== undefined && findPreviewName(slug) !== preview) {
      name = planned.plan.pages.find((page) => isPreviewOf(page.name, asked))?.name ?? previewSlug(preview, slug);
    }
    patch = await diffPage(name, planned);
  }
  await withTarget(project, context, (run) => publish({ ...run, preview, dryRun: true, onPlanned }));
  const text =
    patch === "" ? `${name} is up to date: the live page matches the built one.\n` : `${paintPatch(patch, paint)}\n`;
  return { json: { version: 1, slug: name, isLive: patch === "", patch }, text };
}

function paintPatch(patch: string, paint: Paint): string {
  const lines = patch.split("\n").map((line) => {
    if (/^(?:---|\+\+\+|@@)/.test(line)) return paint("dim", line);
    if (line.startsWith("+")) return paint("good", line);
    return line.startsWith("-") ? paint("bad", line) : line;
  });
  return lines.join("\n");
}
