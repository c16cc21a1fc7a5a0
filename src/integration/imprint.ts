import { enableCompileCache } from "node:module";
import type { AstroIntegration } from "astro";
import { parseOptions } from "../options/parse-options.ts";
import type { ImprintOptions, Options } from "../options/schema.ts";
import { asAstroError, findIntegrationCall } from "./astro-error.ts";
import { canImport, importNatively } from "./native-import.ts";
import { createToolbar } from "./toolbar/dev-server.ts";

/**
 * Publishes the site after every `astro build`.
 *
 * The options are validated when Astro reads its configuration, before any work. The API key comes from
 * `IMPRINT_API_KEY` in the environment or in `.env`; it is never an option.
 *
 * @example
 * ```ts
 * // astro.config.mjs
 * import imprint from "astro-imprint";
 * export default defineConfig({ integrations: [imprint({ service: "embedded", posts: {} })] });
 * ```
 */
export function imprint(input: ImprintOptions = {}): AstroIntegration {
  const integration: AstroIntegration = {
    name: "imprint",
    hooks: {
      "astro:config:setup": async (setup) => {
        if (!(await canImport())) return await setUpNatively(input, setup);
        const { command, updateConfig } = setup;
        const options = parseAsAstro(input, setup);
        if (command === "dev" && options.toolbar) updateConfig({ integrations: [createToolbar(options)] });
        if (command !== "build") return;
        enableCompileCache();
        const { createPublishStage } = await import("./publish-stage.ts");
        // The stage runs after every integration that writes files after the build (sitemap, pagefind, …).
        updateConfig({ integrations: [createPublishStage(options)] });
      },
    },
  };
  return attachOptions(integration, input);
}

type ConfigSetup = NonNullable<AstroIntegration["hooks"]["astro:config:setup"]>;

/** Runs the hook of this module as loaded by Node. */
async function setUpNatively(input: ImprintOptions, setup: Parameters<ConfigSetup>[0]): Promise<void> {
  const own = (await importNatively(import.meta.url)) as { readonly imprint: typeof imprint };
  await own.imprint(input).hooks["astro:config:setup"]?.(setup);
}

function parseAsAstro(input: ImprintOptions, setup: Parameters<ConfigSetup>[0]): Options {
  try {
    return parseOptions(input);
  } catch (error) {
    const { root } = setup.config;
    throw asAstroError(error, root, findIntegrationCall(root));
  }
}

const OPTIONS = Symbol.for("astro-imprint.options");

/** Attaches the options to the integration object, so that the CLI finds them in the project's Astro config. */
export function attachOptions(integration: AstroIntegration, options: ImprintOptions): AstroIntegration {
  return Object.defineProperty(integration, OPTIONS, { value: options, enumerable: false });
}
