import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AstroConfig } from "astro";

export interface ContainerRenderer {
  readonly name: string;
  readonly serverEntrypoint: string;
  readonly clientEntrypoint: string | undefined;
}

/** Finds the renderers of a site's integrations (MDX, React, Svelte, …) that work in Astro's container. */
export async function findContainerRenderers(
  config: Pick<AstroConfig, "root" | "integrations">,
): Promise<readonly ContainerRenderer[]> {
  const require = createRequire(join(fileURLToPath(config.root), "package.json"));
  const names = [...new Set(config.integrations.map(({ name }) => name))];
  const found = await Promise.all(names.map((name) => findRenderer(name, require)));
  return found.filter((renderer) => renderer !== undefined);
}

async function findRenderer(name: string, require: NodeJS.Require): Promise<ContainerRenderer | undefined> {
  // Astro 7 has a separate entry for it; in Astro 6 the integration itself exports it.
  const path = resolveFrom(require, `${name}/container-renderer`) ?? officialEntry(name, require);
  if (path === undefined) return undefined;
  const exported: unknown = await import(pathToFileURL(path).href);
  const getRenderer: unknown = Reflect.get(Object(exported), "getContainerRenderer");
  if (typeof getRenderer !== "function") return undefined;
  const renderer: object = Object(getRenderer());
  const server = entrypointOf(renderer, "serverEntrypoint");
  const given: unknown = Reflect.get(renderer, "name");
  if (server === undefined) return undefined;
  return {
    name: typeof given === "string" ? given : name,
    serverEntrypoint: server,
    clientEntrypoint: entrypointOf(renderer, "clientEntrypoint"),
  };
}

function officialEntry(name: string, require: NodeJS.Require): string | undefined {
  return name.startsWith("@astrojs/") ? resolveFrom(require, name) : undefined;
}

function entrypointOf(renderer: object, key: string): string | undefined {
  const entrypoint: unknown = Reflect.get(renderer, key);
  if (entrypoint instanceof URL) return fileURLToPath(entrypoint);
  return typeof entrypoint === "string" ? entrypoint : undefined;
}

function resolveFrom(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}
