import type { AstroConfig, AstroIntegration, HookParameters } from "astro";

export interface BuildStart {
  readonly config: Pick<AstroConfig, "integrations" | "base" | "site">;
  readonly setPrerenderer: HookParameters<"astro:build:start">["setPrerenderer"];
}

/** A prerendered route that isn't a page of the site: it is rendered, but Astro neither lists nor writes it. */
export interface QuietRoute {
  readonly plugin: {
    readonly name: string;
    configEnvironment(
      name: string,
      config: { readonly build?: { readonly rolldownOptions?: { readonly input?: unknown } } },
    ): object | undefined;
  };
  /** Hides the route, unless another integration sets a prerenderer. */
  hide(start: BuildStart): void;
}

export function createQuietRoute(pattern: string): QuietRoute {
  let isHidden = false;
  return {
    plugin: {
      name: "imprint:quiet-route",
      // With an adapter, a custom prerenderer has to specify the module that it runs: here Astro's own.
      configEnvironment(name, { build }) {
        if (!isHidden || name !== "prerender" || build?.rolldownOptions?.input !== undefined) return undefined;
        return { build: { rolldownOptions: { input: "astro/entrypoints/prerender" } } };
      },
    },
    hide({ config, setPrerenderer }) {
      if (config.integrations.some(setsPrerenderer)) return;
      isHidden = true;
      const address = new URL(config.base.replace(/\/+$/, "") + pattern, config.site ?? "http://localhost");
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

// Astro doesn't report who set a prerenderer, but the source text of the hook contains the call.
function setsPrerenderer({ name, hooks }: AstroIntegration): boolean {
  return !name.startsWith("imprint") && String(hooks["astro:build:start"]).includes("setPrerenderer");
}
