import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withHost } from "../sync/host.ts";
import { measure, median } from "./measure.ts";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

export interface BuildBench {
  readonly pages: number;
  readonly rounds: number;
  /** Folder of the built program. */
  readonly dist: string;
}

/** Measures processor seconds of `astro build` for an unchanged site, with and without the integration in turns. */
export async function measureBuilds({ pages, rounds, dist }: BuildBench): Promise<Readonly<Record<string, number>>> {
  const root = await mkdtemp(join(tmpdir(), "imprint-bench-build-"));
  try {
    await mkdir(join(root, "src/pages"), { recursive: true });
    await symlink(modules, join(root, "node_modules"));
    await writeFile(join(root, "package.json"), `{"name":"bench","private":true,"type":"module"}`);
    await writeFile(join(root, "src/pages/[...page].astro"), pageSource(pages));
    const options = `{ brandKit: false, site: { name: "Bench" } }`;
    const entry = JSON.stringify(pathToFileURL(join(dist, "index.js")).href);
    await writeFile(join(root, "plain.config.mjs"), "export default {};\n");
    await writeFile(
      join(root, "publishing.config.mjs"),
      `import imprint from ${entry};\nexport default { integrations: [imprint(${options})] };\n`,
    );
    return await withHost({}, async ({ baseUrl, apiKey }) => {
      const environment = { IMPRINT_SERVICE: baseUrl, IMPRINT_API_KEY: apiKey, ASTRO_TELEMETRY_DISABLED: "1" };
      const astro = [process.execPath, join(modules, "astro/bin/astro.mjs"), "build", "--config"];
      const build = (config: string) => measure([...astro, `${config}.config.mjs`], { root, environment });
      const costs: Record<"plain" | "publishing", number[]> = { plain: [], publishing: [] };
      await build("publishing");
      for (let round = 0; round < rounds; round++) {
        for (const config of ["plain", "publishing"] as const) costs[config].push((await build(config)).processor);
      }
      return { plain: median(costs.plain), publishing: median(costs.publishing) };
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

function pageSource(pages: number): string {
  return `---
export const getStaticPaths = () => Array.from({ length: ${pages} }, (_, number) => ({
  params: { page: number === 0 ? undefined : \`page-\${number}\` },
  props: { number },
}));
const { number } = Astro.props;
const paragraphs = Array.from({ length: 100 }, (_, at) => at);
---
<html lang="en"><head><meta charset="utf-8"><title>Page {number}</title></head><body><h1>Page {number}</h1>
{paragraphs.map((at) => <p>Paragraph {at} of page {number}, with <a href={\`/page-\${(number % ${pages - 1}) + 1}/\`}>a link</a> and some words.</p>)}
</body></html>
`;
}
