import { expect, test } from "vitest";
import { openSeeded } from "./seeded.ts";
import { signIn } from "./signed-in.ts";

/** Every address of the dashboard in a page: links, frames, and resources. */
function addressesIn(html: string): readonly string[] {
  const named = [...html.matchAll(/ (?:href|src)="([/?][^"]*)"/g)].map((match) => match[1] ?? "");
  return named.map((address) => address.replaceAll("&amp;", "&").replace(/#.*$/, ""));
}

test("every link of the dashboard works", { timeout: 180_000 }, async () => {
  const { service } = await openSeeded();
  const { get } = await signIn(service);
  const seen = new Set(["/"]);
  const broken: string[] = [];
  for (const path of seen) {
    const answer = await get(path);
    const isPage = answer.headers.get("Content-Type")?.startsWith("text/html") === true;
    if (answer.status !== 200) broken.push(`${answer.status} ${path}`);
    const isOwn = isPage && answer.headers.get("Content-Security-Policy")?.includes("sandbox") !== true;
    if (!isOwn) continue;
    for (const address of addressesIn(await answer.text())) {
      const { pathname, search } = new URL(address, `${service.url}${path}`);
      // Sixty similar pages have as many views each; all other kinds stay well below this.
      if (seen.size < 1000) seen.add(`${pathname}${search}`);
    }
  }
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(150);
});
