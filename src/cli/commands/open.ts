import { ImprintError } from "../../base/error.ts";
import type { ImprintApi, Page } from "../../client/api.ts";
import { findPagesAt, publishedAddress } from "../../client/published-address.ts";
import { createPageAddresses } from "../../sync/desired/page-addresses.ts";
import type { Lock } from "../../sync/lock.ts";
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
  const slug = findSlug(page ?? "/", lock);
  const isOurs = page === undefined || Object.values(lock.slugs).includes(slug);
  try {
    const address = createPageAddresses({ options, target, capabilities: api.capabilities }).shown(slug);
    return address !== undefined && isOurs ? address : await findPage(api, { slug, address });
  } finally {
    await api.close();
  }
}

/** Returns the slug of a page that is named by its path on the site or by its slug. */
function findSlug(page: string, { slugs }: Lock): string {
  const name = page.replaceAll(/^\/+|\/+$/g, "");
  return slugs[`/${name}`] ?? slugs[`/${name}/`] ?? (name === "" ? "index" : name);
}

async function findPage(api: ImprintApi, { slug, address }: { slug: string; address: string | undefined }) {
  // Lists may lack pages.
  const found = (await api.pages.list()).items.find((page) => page.slug === slug) ?? (await readPage(api, slug));
  if (found === undefined) {
    throw new ImprintError("USAGE", `The service has no page ${slug}.`, {
      hint: "Publish the site first, or see `imprint pages list`.",
    });
  }
  if (address !== undefined) return address;
  const pagesAt = findPagesAt(found, api);
  if (pagesAt !== undefined) return publishedAddress(pagesAt, slug);
  throw new ImprintError("USAGE", "The service doesn't report where it serves pages.", {
    hint: "Set the option `pagesUrl`.",
  });
}

async function readPage({ pages, capabilities }: ImprintApi, slug: string): Promise<Page | undefined> {
  return capabilities.operations.has("pages.get") ? await pages.get(slug) : undefined;
}
