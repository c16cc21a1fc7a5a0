import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ContainerRenderer } from "./container-renderers.ts";

/** Path in the dist folder where Astro would write the posts; with a leading slash, also the route. */
export const ENDPOINT_FILE = "_imprint/posts.json";

export interface EndpointSettings {
  /** From `createCodegenDir`. */
  readonly folder: URL;
  readonly collection: string;
  /** Name of the global symbol of the channel. */
  readonly channel: string;
  readonly site: string | undefined;
  readonly base: string;
  readonly renderers: readonly ContainerRenderer[];
}

/** Writes the endpoint's module to the project's `.astro` folder, so that it can import what the site imports. */
export function writeEndpoint(settings: EndpointSettings): URL {
  const file = new URL("posts.js", settings.folder);
  writeFileSync(file, renderEndpoint(settings));
  return file;
}

function renderEndpoint({ collection, channel, site, base, renderers }: EndpointSettings): string {
  const json = (value: unknown) => JSON.stringify(value);
  const imports = renderers.map(({ serverEntrypoint }, index) => `import ssr${index} from ${json(serverEntrypoint)};`);
  const list = renderers.map(({ name, clientEntrypoint }, index) => {
    return `{ name: ${json(name)}, clientEntrypoint: ${json(clientEntrypoint) ?? "undefined"}, ssr: ssr${index} }`;
  });
  return `// Written by astro-imprint at every build: it passes the posts of a collection to the integration.
import { experimental_AstroContainer as AstroContainer } from "astro/container";
import { getCollection, getEntry, render } from "astro:content";
${imports.join("\n")}
import { answerEntries } from ${json(fileURLToPath(collector()).replaceAll("\\", "/"))};

export const prerender = true;

export async function GET() {
  const container = await AstroContainer.create({
    renderers: [${list.join(", ")}],
    astroConfig: { site: ${json(site) ?? "undefined"} },
  });
  const request = new Request(new URL(${json(base)}, ${json(site ?? "https://site.invalid")}));
  return answerEntries({
    collection: ${json(collection)},
    channel: globalThis[Symbol.for(${json(channel)})],
    getCollection,
    getEntry,
    async renderEntry(entry) {
      const { Content } = await render(entry);
      return container.renderToString(Content, { request });
    },
  });
}
`;
}

// The compiler doesn't rewrite the extension in a string, as it does in an import.
function collector(): URL {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./collect-entries.${ending}`, import.meta.url);
}
