import type { AstroConfig, AstroIntegration, HookParameters } from "astro";

/** What Astro says and offers when a build starts. */
export interface BuildStart {
  readonly config: Pick<AstroConfig, "integrations" | "base" | "site">;
  readonly setPrerenderer: HookParameters<"astro:build:start">["setPrerenderer"];
}

/** A prerendered route that is no page of the site: it is asked for, but not among the routes that Astro lists and writes. */
export interface QuietRoute {
  readonly plugin: {
    readonly name: string;
    configEnvironment(
      name: string,
      config: { readonly build?: { readonly rolldownOptions?: { readonly input?: unknown } } },
    ): object | undefined;
  };
  /** Where another integration prerenders in its own way, the route stays among the others. */
  hide(start: BuildStart): void;
}

export function createQuietRoute(pattern: string): QuietRoute {
  let isHidden = false;
  return {
    plugin: {
      name: "imprint:quiet-route",
      // Whoever sets a prerenderer beside an adapter has to name the module that it runs: here Astro's own.
      configEnvironment(name, { build }) {
        if (!isHidden || name !== "prerender" || build?.rolldownOptions?.input !== undefined) return undefined;
        return { build: { rolldownOptions: { input: "astro/entrypoints/prerender" } } };
      },
    },
    hide({ config, setPrerenderer }) {
      if (config.integrations.some(setsPrerenderer)) return;
      isHidden = true;
      const address = new URL(joinPath(config.base, pattern), config.site ?? "http://localhost");
      setPrerenderer((usual) => ({
        ...usual,
        async getStaticPaths() {
          const paths = await usual.getStaticPaths();
          const own = paths.find(({ route }) => route.route === pattern);
          if (own === undefined) return paths;
          await usual.render(new Request(address), { routeData: own.route });
          return paths.filter((path) => path !== own);
        },
      }));
    },
  };
}

// Astro does not say who set a prerenderer; its name stands in the text of a hook that calls it.
function setsPrerenderer({ name, hooks }: AstroIntegration): boolean {
  return !name.startsWith("imprint") && String(hooks["astro:build:start"]).includes("setPrerenderer");
}

function joinPath(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}
