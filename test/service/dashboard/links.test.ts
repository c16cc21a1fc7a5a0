import { expect, test } from "vitest";
import { IS_WHOLE } from "../../whole.ts";
import { clientOf, openService } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { CONTACT, publishPage } from "../visitors/visiting.ts";
import { openSeeded } from "./seeded.ts";
import { signIn } from "./signed-in.ts";

/** Every address of the dashboard in a page: links, frames, and resources. */
function addressesIn(html: string): readonly string[] {
  const named = [...html.matchAll(/ (?:href|src)="([/?][^"]*)"/g)].map((match) => match[1] ?? "");
  return named.map((address) => address.replaceAll("&amp;", "&").replace(/#.*$/, ""));
}

const MOST = 1000;

/** Whether a sample has enough links of a kind: to records, or to a list with the same filters. */
function createLimit(): (address: URL) => boolean {
  const counts = new Map<string, number>();
  return ({ pathname, searchParams }) => {
    const filters = [...searchParams.keys()].toSorted();
    const kind = `${pathname.replaceAll(/[^/]*\d[^/]*/g, "*")}?${filters.join("&")}`;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return !IS_WHOLE && (count >= 3 || filters.length > 2);
  };
}

test("every link of the dashboard works", { timeout: 180_000 }, async () => {
  const { service } = await openSeeded();
  const { get } = await signIn(service);
  const seen = new Set(["/"]);
  const isEnough = createLimit();
  const broken: string[] = [];
  for (const path of seen) {
    const answer = await get(path);
    const isPage = answer.headers.get("Content-Type")?.startsWith("text/html") === true;
    if (answer.status !== 200) broken.push(`${answer.status} ${path}`);
    const isOwn = isPage && answer.headers.get("Content-Security-Policy")?.includes("sandbox") !== true;
    if (!isOwn) continue;
    for (const address of addressesIn(await answer.text())) {
      const linked = new URL(address, `${service.url}${path}`);
      const place = linked.pathname + linked.search;
      // Sixty similar pages have as many views each; all other kinds stay well below this.
      if (!seen.has(place) && seen.size < MOST && !isEnough(linked)) seen.add(place);
    }
  }
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(150);
});

test("an empty section links only to what the role of the user includes", async () => {
  const service = openService();
  await publishPage(service, "contact", CONTACT);
  const { items } = await clientOf(service, { routeSet: "a" })("GET", "/api/forms");
  const owner = await signIn(service);
  const viewer = await inviteAs(service, "viewer");
  for (const path of ["/sites", "/library", "/blogs", `/forms/${String(items[0]?.["id"])}`]) {
    const links = addressesIn(await (await viewer.get(path)).text());
    const extra = addressesIn(await (await owner.get(path)).text()).filter((address) =>
      /\/new$|^\/people$|^\/webhooks$/.test(address),
    );
    expect(extra.length).toBeGreaterThan(0);
    expect(extra.filter((address) => links.includes(address))).toEqual([]);
  }
});
