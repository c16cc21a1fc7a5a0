import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { Release, ReleaseDifference } from "../../client/records/release-records.ts";
import { releaseRecord } from "../../contract/extension-records.ts";
import { renderFacts, renderRecords, renderTable, renderTime } from "../table.ts";
import { requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";
import { findSite } from "./sites.ts";

/** `imprint releases list`: the newest first. */
export async function list(run: AccountRun): Promise<AccountResult> {
  const releases = await withReleases(run, (api) => listReleases(api, run));
  if (releases.length === 0) {
    return { json: releases, text: "There are no releases. The first `imprint publish` creates one.\n" };
  }
  const state = ({ live, state: word }: Release) => (live ? "live" : word);
  const at = ({ publishedAt, createdAt }: Release) => renderTime(publishedAt ?? createdAt);
  const text = renderRecords(releaseRecord, releases, [
    "id",
    ["state", state],
    ["publishedAt", at],
    "pages",
    "removes",
    "author",
  ]);
  return { json: releases, text };
}

const FACTS = [
  ...["id", "siteId", "state", "live", "parent", "rollbackOf", "author", "pages", "removes"],
  ...["createdAt", "publishedAt", "expiresAt"],
] as const satisfies readonly (keyof Release)[];

/** `imprint releases show`: one release with what it changed. */
export async function show(run: AccountRun): Promise<AccountResult> {
  return withReleases(run, async (api) => {
    const release = await findRelease(api, run);
    const { data } = await api.releases.diff(release.id, { signal: run.signal });
    const kept =
      release.kept.length === 0 ? "" : `  Changed before it, outside a release, and kept: ${release.kept.join(", ")}\n`;
    const text = `${renderFacts(releaseRecord, release, FACTS)}${kept}\n${renderDifference(data)}`;
    return { json: { ...release, changes: data }, text };
  });
}

/** `imprint releases diff`: how a release differs from its parent or from another one. */
export async function diff(run: AccountRun): Promise<AccountResult> {
  return withReleases(run, async (api) => {
    const { id } = await findRelease(api, run);
    const difference = await api.releases.diff(id, { against: run.args[1], signal: run.signal });
    const { against } = difference;
    const head = `${id} against ${against ?? "nothing"}:\n`;
    return { json: difference, text: `${head}${renderDifference(difference.data)}` };
  });
}

/** `imprint releases rollback`: publishes the content of an earlier release again. */
export async function rollback(run: AccountRun): Promise<AccountResult> {
  const { flags, signal } = run;
  return withReleases(run, async (api) => {
    const target = run.args.length === 0 ? await findEarlier(api, run) : await findRelease(api, run);
    if (target.live) throw new ImprintError("USAGE", `${target.id} is already live.`, { hint: HINT });
    if (!(await run.confirm(`Restore the release ${target.id} of ${renderTime(target.publishedAt)}?`))) {
      return { json: null, text: "Nothing was changed.\n", exitCode: 1 };
    }
    const release = await api.releases.rollback(target.id, {
      ...(flags.force === true ? { force: true } : {}),
      signal,
    });
    const kept =
      release.kept.length === 0
        ? ""
        : `Changed since the last release and kept: ${release.kept.join(", ")}. Replace them too with --force.\n`;
    const text = `Restored the pages of ${target.id} as the release ${release.id}.\n${kept}The next \`imprint publish\` publishes the site as built at that time.\n`;
    return { json: release, text };
  });
}

const HINT = "See `imprint releases list`.";

function withReleases<Result>(run: AccountRun, work: (api: ImprintApi) => Promise<Result>): Promise<Result> {
  return run.withApi((api) => {
    requireOperation(api, {
      operation: "releases.list",
      action: "list releases",
      hint: "This service publishes pages one by one and keeps no earlier versions of a site.",
    });
    return work(api);
  });
}

async function listReleases(api: ImprintApi, { flags, signal }: AccountRun): Promise<readonly Release[]> {
  const siteId = flags.site === undefined ? undefined : (await findSite(api, flags.site, signal)).id;
  return api.releases.list({ siteId, limit: 100, signal });
}

/** Returns the given release, else the live one. */
async function findRelease(api: ImprintApi, run: AccountRun): Promise<Release> {
  const [id] = run.args;
  if (id === undefined) return await findLive(api, run);
  const release = await api.releases.get(id, { signal: run.signal });
  if (release === undefined) throw new ImprintError("USAGE", `There is no release ${id}.`, { hint: HINT });
  return release;
}

async function findLive(api: ImprintApi, run: AccountRun): Promise<Release> {
  const live = (await listReleases(api, run)).filter((release) => release.live && release.preview === null);
  const [first, ...others] = live;
  if (first === undefined) throw new ImprintError("USAGE", "No release is live.", { hint: HINT });
  if (others.length === 0) return first;
  throw new ImprintError("USAGE", `${live.length} sites have a live release.`, {
    hint: "Name the release by its ID, or the site with --site.",
  });
}

async function findEarlier(api: ImprintApi, run: AccountRun): Promise<Release> {
  const live = await findLive(api, run);
  // After a rollback, the next one goes to the parent of the release that was restored.
  const shown = live.rollbackOf === null ? live : await api.releases.get(live.rollbackOf, { signal: run.signal });
  const parent =
    typeof shown?.parent === "string" ? await api.releases.get(shown.parent, { signal: run.signal }) : undefined;
  if (parent !== undefined) return parent;
  throw new ImprintError("USAGE", `No release was published before ${shown?.id ?? live.id}, whose pages are live.`, {
    hint: HINT,
  });
}

const SIGNS = { added: "+", changed: "~", removed: "-" } as const;

function renderDifference(data: ReleaseDifference["data"]): string {
  if (data.length === 0) return "  No page differs.\n";
  return renderTable(data.map(({ slug, change, title }) => [SIGNS[change], slug, title]));
}
