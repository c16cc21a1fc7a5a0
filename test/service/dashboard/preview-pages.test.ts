import { expect, test } from "vitest";
import { findPreviewName } from "../../../src/contract/slug.ts";
import { clientOf, openService } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

const LIVE = ["about", "preview-guide", "preview--about--us"] as const;
const PREVIEWS = ["preview-pr-12--about", "preview-main--preview--about"] as const;

/** A dashboard with live pages and pages of previews, each with a form. */
async function openDashboard() {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  for (const slug of [...LIVE, ...PREVIEWS]) {
    const html = `<form method=post name="Order ${slug}"><input name=a></form>`;
    await send("PUT", `/api/pages/${slug}`, { json: { html, title: `Page ${slug}` } });
  }
  const { get, post } = await signIn(service);
  const linked = async (path: string) => {
    const html = await (await get(path)).text();
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main"));
    const titles = [...main.matchAll(/<a href="\/(?:edit|forms|analytics)\/\w+[^"]*">(?:Page|Order) ([a-z0-9-]+)/g)];
    return titles.map(([, slug]) => slug).toSorted();
  };
  return { get, post, send, linked };
}

test("a preview's pages are recognized by the slugs that the publisher gives them", () => {
  const isOfPreview = (slug: string) => findPreviewName(slug) !== undefined;
  expect([LIVE.filter(isOfPreview), PREVIEWS.filter(isOfPreview)]).toEqual([[], [...PREVIEWS]]);
});

test.each(["/pages", "/forms"])("%s lists pages of previews apart from live ones", async (path) => {
  const { linked } = await openDashboard();
  expect(await linked(path)).toEqual(LIVE.toSorted());
  expect(await linked(`${path}?part=previews`)).toEqual(PREVIEWS.toSorted());
  expect(await linked(`${path}?part=all`)).toEqual([...LIVE, ...PREVIEWS].toSorted());
});

test("analytics and the overview don't list pages of previews, whose visits aren't counted", async () => {
  const { get, linked } = await openDashboard();
  expect(await (await get("/")).text()).toContain('<span class="number">3</span></strong><span>pages</span>');
  expect([await linked("/analytics"), await linked("/")]).toEqual([LIVE.toSorted(), LIVE.toSorted()]);
});

test("the search lists pages of previews after everything else", async () => {
  const { get, linked } = await openDashboard();
  const html = await (await get("/search?q=about")).text();
  const titles = [...html.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title);
  expect(titles).toEqual(["Pages", "Forms", "Pages of previews"]);
  const both = ["about", "preview--about--us"].flatMap((slug) => [slug, slug]);
  expect(await linked("/search?q=about")).toEqual([...both, ...PREVIEWS].toSorted());
});

test("pages of previews can be selected and deleted together", async () => {
  const { get, post, send, linked } = await openDashboard();
  const all = { action: "delete", all: "yes", back: "?part=previews", confirmed: "yes" };
  expect(await (await post("/pages/bulk", all)).text()).toContain("2 pages deleted.");
  expect(await linked("/pages?part=all")).toEqual(LIVE.toSorted());
  const { body } = await send("PUT", "/api/pages/preview-x--a", { json: { html: "<p>A" } });
  for (const slug of LIVE) await send("DELETE", `/api/pages/${slug}`);
  expect(await (await get("/pages")).text()).toContain("Only previews are published.");
  const one = { action: "unpublish", id: String(body["id"]), confirmed: "yes" };
  expect(await (await post("/pages/bulk", one)).text()).toContain("1 page unpublished.");
});
