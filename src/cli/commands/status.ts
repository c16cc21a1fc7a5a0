import { pluralize } from "../../base/pluralize.ts";
import { isAreaRefusal } from "../../base/outcome.ts";
import { mapPool } from "../../base/pool.ts";
import { listFirstNames } from "../../base/list-names.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import type { ImprintApi, Page } from "../../client/api.ts";
import { findMarker } from "../../html/marker.ts";
import type { Target } from "../../target/target.ts";
import { parseAssetName } from "../../sync/asset-name.ts";

type Credential = "key" | "login" | "embedded";

const CREDENTIALS = {
  key: "IMPRINT_API_KEY",
  login: "the login of `imprint login`",
  embedded: "a temporary key for the embedded service",
} as const satisfies Record<Credential, string>;

interface StatusFlags {
  readonly all?: boolean;
}

/** What a service holds, as far as its lists show. */
interface Status {
  readonly service: string;
  /** What authenticates the requests. */
  readonly credential: Credential;
  readonly routeSet: "a" | "b";
  readonly plan: string | undefined;
  readonly pagesUrl: string | undefined;
  readonly counts: Readonly<Record<string, number>>;
  /** Projects that have published to the account. */
  readonly projects?: readonly AccountProject[];
}

/** `imprint status`: whether the service responds and accepts the key, and what it holds. */
export async function status({ flags, paint, withApi, signal }: CommandRun<StatusFlags>): Promise<CommandResult> {
  const json = await withApi(async (api, target) => ({
    ...(await readStatus(api, { credential: credentialOf(target), signal })),
    ...(flags.all === true ? { projects: await listProjects(api, signal) } : {}),
  }));
  return { json, text: renderStatus(json, paint) };
}

function credentialOf({ accessToken, identity }: Target): Credential {
  if (identity.startsWith("embedded:")) return "embedded";
  return accessToken === undefined ? "key" : "login";
}

async function readStatus(
  api: ImprintApi,
  { credential, signal }: { readonly credential: Credential; readonly signal: AbortSignal | undefined },
): Promise<Status> {
  const [pages, assets, sites, kits] = await Promise.all([
    api.pages.list({}, { signal }),
    api.assets.list({}, { signal }),
    unlessRefused(api.sites.list({ signal })),
    unlessRefused(api.brandKits.list({ signal })),
  ]);
  const { routeSet, account, pagesUrl } = api.capabilities;
  return {
    service: api.baseUrl,
    credential,
    routeSet,
    plan: account?.plan,
    pagesUrl,
    counts: {
      pages: pages.items.length,
      assets: assets.items.length + assets.unaddressed.length,
      ...(sites === undefined ? {} : { sites: sites.items.length }),
      ...(kits === undefined ? {} : { "brand kits": kits.items.length }),
    },
  };
}

// If the service denies access to one area, the others are still shown.
async function unlessRefused<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return await work.catch((error: unknown) => {
    if (isAreaRefusal(error)) return undefined;
    throw error;
  });
}

function renderStatus(status: Status, paint: Paint): string {
  const rows = [
    ["Service", status.service],
    ["Signed in", CREDENTIALS[status.credential]],
    // Our own service has both.
    ...(status.plan === undefined ? [["Route set", status.routeSet.toUpperCase()]] : []),
    ["Plan", status.plan ?? "not reported by the service"],
    ["Pages at", status.pagesUrl === undefined ? "not reported by the service" : `${status.pagesUrl}/p/…`],
    ...Object.entries(status.counts).map(([name, count]) => [name, String(count)]),
  ];
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(11)} ${paint("strong", value)}`);
  return `${paint("good", `The service responds and accepts the ${status.credential === "login" ? "login" : "key"}.`)}\n\n${lines.join("\n")}\n${renderProjects(status.projects)}`;
}

const MOST_SLUGS = 6;

function renderProjects(projects: readonly AccountProject[] | undefined): string {
  if (projects === undefined) return "";
  const lines = projects.map(({ project, pages, files }) => {
    const list = pages.length === 0 ? "" : `: ${listFirstNames(pages, MOST_SLUGS)}`;
    return `  ${(project ?? "others").padEnd(11)} ${pluralize(pages.length, "page")}, ${pluralize(files, "file")}${list}`;
  });
  return `\n  Projects\n${lines.join("\n")}\n`;
}

/** What one project has on an account. */
export interface AccountProject {
  /** ID of the project; `undefined` if imprint didn't publish it or the service doesn't show who did. */
  readonly project: string | undefined;
  /** Slugs of its pages. */
  readonly pages: readonly string[];
  /** How many files it uploaded. */
  readonly files: number;
}

const READS_AT_ONCE = 8;

/** Lists the projects that have published to an account, by the markers in their pages and their file names. */
export async function listProjects(api: ImprintApi, signal?: AbortSignal): Promise<readonly AccountProject[]> {
  const [pages, assets] = await Promise.all([api.pages.list({}, { signal }), api.assets.list({}, { signal })]);
  const owners = await mapPool(pages.items, READS_AT_ONCE, async (page) => [await ownerOf(page, api), page] as const);
  const pagesBy = Map.groupBy(owners, ([project]) => project);
  const filesBy = Map.groupBy(
    [...assets.items, ...assets.unaddressed],
    ({ name = "" }) => parseAssetName(name)?.project,
  );
  const projects = [...new Set([...pagesBy.keys(), ...filesBy.keys()])];
  return projects
    .map((project) => ({
      project,
      pages: (pagesBy.get(project) ?? []).map(([, { slug }]) => slug).toSorted(),
      files: filesBy.get(project)?.length ?? 0,
    }))
    .toSorted((one, other) => Number(one.project === undefined) - Number(other.project === undefined));
}

async function ownerOf({ slug }: Page, api: ImprintApi): Promise<string | undefined> {
  const html = await unlessRefused(api.pages.readHtml(slug));
  return html === undefined ? undefined : findMarker(html)?.project;
}
