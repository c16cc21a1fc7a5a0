import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openOriginal } from "../original-site.ts";
import { openPublished, type World } from "../published-site.ts";

const WORLDS: readonly World[] = [
  { routeSet: "a", mode: "full" },
  { routeSet: "b", mode: "full" },
];

// Written by the release before scripts got a route map: changes for scripts must not affect these pages.
const PAGES: readonly (readonly [folder: string, routes: readonly string[]])[] = [
  ["test/sites/lamp-shop", ["/cart/", "/sizes/"]],
  ["test/sites/ink-lab", ["/", "/about/"]],
  ["test/sites/field-notes", ["/", "/notes/heron/"]],
];

it.each(PAGES)(
  "%s: pages without scripts that navigate are byte for byte the same as before",
  async (folder, routes) => {
    const original = await openOriginal(folder);
    onTestFinished(() => original.close());
    for (const world of WORLDS) {
      const published = await openPublished(original, world);
      onTestFinished(() => published.close());
      for (const route of routes) {
        const slug = published.slugs.get(route) ?? "";
        const html = await (await fetch(`${published.origin}/p/${slug}`)).text();
        const file = new URL(
          `untouched/${folder.split("/").at(-1)}-${slug}-${world.routeSet}.html.txt`,
          import.meta.url,
        );
        await expect(plain(html, published.origin)).toMatchFileSnapshot(fileURLToPath(file));
      }
    }
  },
);

/** Without differences between two runs: the port, and generated names. */
function plain(html: string, origin: string): string {
  const project = /<meta name="imprint" content="[0-9a-f]+ [0-9a-f]+ (\w+) [\w-]+">/.exec(html)?.[1] ?? "no project";
  return html
    .replace(/(<meta name="imprint" content=")[^"]*/, "$1marker")
    .replaceAll(project, "project")
    .replaceAll(origin, "http://pages.example")
    .replace(/\/library\/as_[\w-]+\//g, "/library/as_x/");
}
