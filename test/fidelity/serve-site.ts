// Builds one site and serves it with `astro preview`, in its own process, since a build changes the environment and
// module state of its process.
// Usage: node serve-site.ts <root> <outDir>. Prints one line of JSON when it is ready; ends with its standard input.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  build,
  preview,
  type AstroConfig,
  type AstroIntegration,
  type AstroUserConfig,
  type IntegrationResolvedRoute,
} from "astro";
import { collectHints } from "../../src/integration/build-hints.ts";
import type { BuildHints } from "../../src/site/build-hints.ts";

/** The line that this script prints. */
export interface ServedSite {
  /** Address of the preview server, without a trailing slash. */
  readonly origin: string;
  /** `site` of the Astro config. */
  readonly site: string;
  readonly hints: BuildHints;
}

interface Recorded {
  config?: AstroConfig;
  hints?: BuildHints;
}

// The playground imports the package by name, but the suite runs the sources.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(
      specifier === "astro-imprint" ? new URL("../../src/index.ts", import.meta.url).href : specifier,
      context,
    ),
});

const [root = "", outDir = ""] = process.argv.slice(2);
process.env.NODE_ENV = "production";
const recorded: Recorded = {};
const inlineConfig = { ...(await readConfig(root)), configFile: false as const, root, outDir };
await build({
  ...inlineConfig,
  logLevel: "error",
  integrations: [...(inlineConfig.integrations ?? []), recorder(recorded)],
});
const server = await preview({ ...inlineConfig, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
const served: ServedSite = {
  origin: `http://127.0.0.1:${server.port}`,
  site: recorded.config?.site ?? "",
  hints: recorded.hints ?? {},
};
process.stdout.write(`\n${JSON.stringify(served)}\n`);
process.stdin.resume().once("end", () => process.exit(0));

// The playground publishes after its build, but here the suite publishes.
async function readConfig(root: string): Promise<AstroUserConfig> {
  const module: { readonly default: AstroUserConfig } = await import(
    pathToFileURL(join(root, "astro.config.mjs")).href
  );
  const integrations = (module.default.integrations ?? []).flat().filter(isIntegration);
  return { ...module.default, integrations: integrations.filter(({ name }) => name !== "imprint") };
}

function isIntegration(value: unknown): value is AstroIntegration {
  return typeof value === "object" && value !== null && "hooks" in value;
}

function recorder(into: Recorded): AstroIntegration {
  let routes: readonly IntegrationResolvedRoute[] = [];
  return {
    name: "fidelity-recorder",
    hooks: {
      "astro:config:done": ({ config }) => {
        into.config = config;
      },
      "astro:routes:resolved": (resolved) => {
        routes = resolved.routes;
      },
      "astro:build:done": ({ dir, assets }) => {
        if (into.config !== undefined) into.hints = collectHints({ config: into.config, routes, assets, dir });
      },
    },
  };
}
