import { pluralize } from "../../base/pluralize.ts";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findAnnouncedService } from "../../disk/running-service.ts";
import { countPublished } from "../../sync/lock.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { readEnvironment } from "../../target/environment.ts";
import { findEmbedded, hasCredential, hostedService } from "../../target/target.ts";
import type { CliContext } from "../context.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { optionsOf, parseProjectOptions, readProject, type Project } from "../project.ts";
import type { Paint } from "../../sync/report/render-text.ts";

/** A command and what it is for. */
interface Advice {
  readonly run: string;
  readonly why: string;
}

/** `imprint` without a command: the project's status, from its files alone, and what to do next. */
export async function overview({
  flags,
  context,
  paint,
}: CommandRun<{ readonly root?: string }>): Promise<CommandResult> {
  const root = resolve(context.cwd, flags.root ?? ".");
  const found = await look(await readProject(root), context);
  return { json: { version: 1, ...found }, text: render(found, paint) };
}

async function look(project: Project, { environment: own }: CliContext) {
  const { root, configFile, isSetUp } = project;
  if (configFile === undefined || !isSetUp) {
    const why = configFile === undefined ? "set up a site (in the folder of an Astro project)" : "set up this site";
    const next = [{ run: "npx imprint init", why }];
    const name = configFile === undefined ? undefined : relative(root, configFile);
    return { project: name, service: undefined, published: 0, shownAt: undefined, next };
  }
  const environment = await readEnvironment(root, own);
  const options = optionsOf(project, parseProjectOptions(project), environment);
  const embedded = findEmbedded(options, environment);
  const running = embedded && (await findAnnouncedService(join(root, embedded.dataDir)));
  const service = embedded === undefined ? hostedService(options, environment) : "embedded";
  const published = countPublished(await createStateFiles(root, "").readLock(), service);
  const isSignedIn = embedded !== undefined || (await hasCredential(environment, service));
  return {
    project: relative(root, configFile),
    service,
    published,
    shownAt: running?.pagesUrl,
    next: [...advise()],
  };

  function* advise(): Generator<Advice> {
    if (!isSignedIn) yield { run: "npx imprint login", why: "sign in to the service, or set IMPRINT_API_KEY" };
    const publishes = options.publish === false ? "npx astro build && npx imprint publish" : "npx astro build";
    if (published === 0) return yield { run: publishes, why: "build and publish the site for the first time" };
    if (existsSync(project.dist))
      yield { run: "npx imprint plan", why: "show what publishing the built site would change" };
    yield { run: publishes, why: "build and publish" };
    if (embedded !== undefined && running === undefined)
      yield { run: "npx imprint serve --open", why: "show the published site" };
    else yield { run: "npx imprint open", why: "open the published site" };
  }
}

function render(
  { project, service, published, shownAt, next }: Awaited<ReturnType<typeof look>>,
  paint: Paint,
): string {
  const count = published === 0 ? "nothing yet" : pluralize(published, "page");
  const rows = [
    ["Project", project ?? "none in this folder"],
    ["Service", service === "embedded" ? "embedded, on this machine" : service],
    ["Published", service && count],
    ["Served at", shownAt],
  ] as const;
  const width = Math.max(...next.map(({ run }) => run.length));
  return [
    ...rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(11)}${value}`])),
    "",
    "Next",
    ...next.map(({ run, why }) => `  ${paint("strong", run.padEnd(width))}  ${why}`),
    "",
    paint("dim", "All commands: imprint --help"),
    "",
  ].join("\n");
}
