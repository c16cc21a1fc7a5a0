import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig, AstroIntegration, AstroIntegrationLogger, IntegrationResolvedRoute } from "astro";
import { ImprintError, messageOf } from "../base/error.ts";
import { readPinnedLogos } from "../sync/brand/pinned-logos.ts";
import { decideRunMode } from "../target/run-mode.ts";
import { readEnvironment } from "../target/environment.ts";
import { createSiteRenderer } from "../posts/render/render-markdown.ts";
import { checkTarget, DEFAULT_SERVICE_NOTE, openTarget, withDefaultService } from "../target/target.ts";
import type { Options } from "../options/schema.ts";
import { publish, type Report } from "../publish.ts";
import type { CollectedPosts } from "../posts/read/collected.ts";
import { findCollectionFolder, withFolderOf } from "../posts/read/collection-folder.ts";
import { isClean } from "../sync/report/report.ts";
import { renderText } from "../sync/report/render-text.ts";
import { asAstroError } from "./astro-error.ts";
import { forgetBuildHints, writeBuildHints, type BuildHints } from "../site/build-hints.ts";
import { collectHints } from "./build-hints.ts";
import { createLogProgress } from "./log-progress.ts";
import { offerSetup, prepareShowing } from "./offers.ts";
import { carryOut, readBuildOrder } from "./toolbar/build-order.ts";
import type { PostsGathering, setUpGathering } from "./posts/gathering.ts";

/**
 * The integration that publishes, or only records what `imprint publish` needs to know about the build. It has to run
 * after every integration that writes files after the build. If others append themselves after it, it appends a new
 * stage and does nothing itself.
 */
export function createPublishStage(options: Options): AstroIntegration {
  const publishes = options.publish !== false;
  let isLast = true;
  let config: AstroConfig | undefined;
  let routes: readonly IntegrationResolvedRoute[] = [];
  let gathering: PostsGathering | undefined;
  let collected: CollectedPosts | undefined;

  const stage: AstroIntegration = {
    name: "imprint/publish",
    hooks: {
      "astro:config:setup": async (setup) => {
        isLast = setup.config.integrations.at(-1) === stage;
        if (isLast) gathering = await gatherPosts(options, setup);
        else setup.updateConfig({ integrations: [createPublishStage(options)] });
      },
      "astro:config:done": ({ config: final }) => {
        config = final;
      },
      "astro:routes:resolved": ({ routes: resolved }) => {
        routes = resolved;
      },
      "astro:build:start": async ({ logger, setPrerenderer }) => {
        if (!isLast || config === undefined) return;
        forgetBuildHints(fileURLToPath(config.root));
        if (publishes) await checkBeforeBuild(options, config, logger);
        gathering?.open({ config, setPrerenderer });
      },
      "astro:build:generated": ({ dir, logger }) => {
        collected = gathering?.finish(dir, logger);
      },
      "astro:build:done": async ({ dir, assets, logger }) => {
        if (!isLast || config === undefined) return;
        const posts = findCollectionFolder(options, collected);
        const hints = { ...collectHints({ config, routes, assets, dir }), posts };
        await keepHints(hints, { config, dir, logger });
        const found = withFolderOf(options, posts);
        if (publishes) await publishBuild({ options: found, config, logger, dir, hints, collected });
      },
    },
  };
  return stage;
}

// Loaded only for sites with posts. A build that doesn't publish only has to find their folder.
async function gatherPosts(...[options, setup]: Parameters<typeof setUpGathering>) {
  const { posts, publish: publishes } = options;
  if (posts === false) return undefined;
  if (publishes === false && existsSync(join(fileURLToPath(setup.config.root), posts.folder))) return undefined;
  const { setUpGathering } = await import("./posts/gathering.ts");
  return await setUpGathering(options, setup);
}

async function keepHints(
  hints: BuildHints,
  { config, dir, logger }: { readonly config: AstroConfig; readonly dir: URL; readonly logger: AstroIntegrationLogger },
): Promise<void> {
  try {
    await writeBuildHints(fileURLToPath(config.root), fileURLToPath(dir), hints);
  } catch (error) {
    logger.warn(
      `\`imprint publish\` won't know this build's Astro config, since .imprint can't be written: ${messageOf(error)}`,
    );
  }
}

// A missing key or file is reported before the build, which may take minutes, and not after it.
async function checkBeforeBuild(written: Options, config: AstroConfig, logger: AstroIntegrationLogger): Promise<void> {
  const projectRoot = fileURLToPath(config.root);
  try {
    const environment = await readEnvironment(projectRoot, process.env);
    const mode = await decideRunMode(written, { projectRoot, environment, process: process.env });
    if (mode.kind === "none") return;
    const options = withDefaultService(written, environment);
    if (options !== written) {
      await offerSetup(projectRoot);
      logger.info(DEFAULT_SERVICE_NOTE);
    }
    await checkTarget(options, { projectRoot, environment });
    await readPinnedLogos(projectRoot, options);
  } catch (error) {
    throw asAstroError(error, config.root);
  }
}

interface FinishedBuild {
  readonly options: Options;
  readonly config: AstroConfig;
  readonly logger: AstroIntegrationLogger;
  readonly dir: URL;
  readonly hints: BuildHints;
  readonly collected: CollectedPosts | undefined;
}

async function publishBuild({ options: written, config, logger, dir, hints, collected }: FinishedBuild): Promise<void> {
  const projectRoot = fileURLToPath(config.root);
  try {
    const environment = await readEnvironment(projectRoot, process.env);
    const options = withDefaultService(written, environment);
    const mode = await decideRunMode(options, { projectRoot, environment, process: process.env });
    const order = readBuildOrder();
    if (mode.kind === "none" && order?.kind !== "plan") return logger.info(mode.why);
    const preview = mode.kind === "preview" ? mode.name : undefined;
    const target = await openTarget(options, { projectRoot, environment });
    try {
      const markdown = createSiteRenderer(projectRoot, config.markdown, config.image);
      const progress = createLogProgress({ logger, now: () => performance.now() });
      const dist = fileURLToPath(dir);
      const request = { projectRoot, dist, options, preview, target, hints, markdown, collected, logger };
      const offerToShow = prepareShowing(projectRoot);
      const carried = order && carryOut(order);
      const report = await publish({ ...request, ...progress, ...carried?.request });
      carried?.answer(report);
      logger[isClean(report) ? "info" : "warn"](`${renderText(report).trimEnd()}\n`);
      await offerToShow(report);
      if (report.exitCode !== 0) throw failureOf(report);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw asAstroError(error, config.root);
  }
}

function failureOf({ entries }: Report): ImprintError {
  const failed = entries.filter((entry) => entry.kind === "failed");
  const [first] = failed;
  if (first === undefined) {
    const blocked = entries.find(({ kind, counts }) => kind === "blocked" && counts !== "never");
    const what = blocked && `${blocked.resource} ${blocked.name}: ${blocked.reason}`;
    return new ImprintError("RUN_INCOMPLETE", what ?? "Warnings or blocked changes fail a run with `strict`.", {
      hint: blocked?.hint,
    });
  }
  const { resource, name, reason, error } = first;
  const what =
    error?.message.startsWith(name) === true ? error.message : `${resource} ${name}: ${error?.message ?? reason}`;
  const code = error === undefined ? "" : ` (${error.code})`;
  const more = failed.length > 1 ? `\n${failed.length - 1} more failed; the report lists them.` : "";
  return new ImprintError("RUN_INCOMPLETE", `${what}${code}${more}`, {
    // Building again without a change doesn't help a post whose file is invalid.
    ...(resource === "post" && error !== undefined
      ? { hint: `${error.hint} Then build again: published content isn't sent twice.` }
      : {}),
    ...(error?.location === undefined ? {} : { location: error.location }),
  });
}
