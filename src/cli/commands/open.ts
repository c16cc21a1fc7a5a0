import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import { findPagesAt, publishedAddress } from "../../client/published-address.ts";
import { createPageAddresses } from "../../sync/desired/page-addresses.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { openBrowser } from "../login/browser.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { isWatched } from "../terminal.ts";
import { connectProject, withProject, type ProjectRun } from "../with-project.ts";

interface OpenFlags extends PublishFlags {
  /** `false` only shows the address. */
  readonly browser?: boolean;
}

export { openCommand as open };

/** `imprint open`: opens the published site in a browser. */
async function openCommand({ args: [page], flags, context }: CommandRun<OpenFlags>): Promise<CommandResult> {
  const url = await withProject({ flags }, context, (run) => findAddress(run, page));
  const opens = flags.browser !== false && flags.json !== true && isWatched(context.out, context.environment);
  if (opens) openBrowser(url);
  return { json: { url }, text: `${url}\n` };
}

async function findAddress(run: ProjectRun, page: string | undefined): Promise<string> {
  const { target, options, signal } = run;
  if (target.seeWith !== undefined) {
    throw new ImprintError("SERVICE_UNREACHABLE", "The embedded service isn't running, so the site can't be opened.", {
      hint: `Run \`${target.seeWith} --open\`.`,
    });
  }
  const { api, lock } = await connectProject(run, { signal });
  const slug = page === undefined ? (lock.slugs["/"] ?? "index") : (lock.slugs[page] ?? page);
  try {
    return (
      createPageAddresses({ options, target, capabilities: api.capabilities }).shown(slug) ?? (await askFor(api, slug))
    );
  } finally {
    await api.close();
  }
}

async function askFor(api: ImprintApi, slug: string): Promise<string> {
  const found = (await api.pages.list()).items.find((page) => page.slug === slug);
  const pagesAt = found && findPagesAt(found, api);
  if (pagesAt !== undefined) return publishedAddress(pagesAt, slug);
  const message =
    found === undefined ? `The service has no page ${slug}.` : "The service doesn't report where it serves pages.";
  throw new ImprintError("USAGE", message, {
    hint: found === undefined ? "Publish the site first, or see `imprint status`." : "Set the option `pagesUrl`.",
  });
}
