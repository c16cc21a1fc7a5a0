import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it.each([
  dialectA("A, whose policy forbids scripts", {
    pages: { headers: { "content-security-policy": "script-src 'none'" } },
  }),
  dialectB("B, whose pages are in a sandbox", { pages: { headers: { "content-security-policy": "sandbox" } } }),
])("names the pages whose scripts browsers don't run at $name, until it is accepted", async (dialect) => {
  const { run, loseState, loseLock } = await openAtStranger(dialect, { posts: false });
  const without = "the service delivers pages without scripts: index, about";
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(without) });
  }
  await loseState();
  await loseLock();
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(without) });
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it("names the pages whose images browsers don't load, in each run and also once a page changes", async () => {
  const headers = { "content-security-policy": "img-src https://files.example" };
  const dialect = dialectA("A", { pages: { headers, tells: "public-url" } });
  const { run, write } = await openAtStranger(dialect, { posts: false });
  for (const title of ["Ink", "Ink", "More ink"]) {
    await write("dist/ink/index.html", htmlPage(title, '<img src="/photo.png" alt="">'));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("without images (<img>): ") });
  }
});

it("a policy that allows everything that pages need changes nothing", async () => {
  const policy = "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'";
  const { run } = await openAtStranger(dialectA("A", { pages: { headers: { "content-security-policy": policy } } }), {
    posts: false,
  });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each([
  { name: "content-type", value: "text/plain", as: "text/plain" },
  { name: "content-type", value: "application/xhtml+xml", as: "application/xhtml+xml" },
  { name: "content-disposition", value: "attachment", as: "a download" },
])("a page that is served as $as isn't published", async ({ name, value, as }) => {
  const { run } = await openAtStranger(dialectA("A", { pages: { headers: { [name]: value } } }), { posts: false });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(`is served as ${as}`) });
  expect(await run("publish", "--verify")).toMatchObject({ code: 1 });
});

it("a page whose header sends readers on isn't published, but one that is loaded again is", async () => {
  const pages = (refresh: string) => dialectA("A", { pages: { headers: { refresh } } });
  const { run } = await openAtStranger(pages("0; url=/elsewhere"), { posts: false });
  const said = expect.stringContaining("redirects readers to /elsewhere (`Refresh`)");
  expect(await run("publish")).toMatchObject({ code: 1, said });
  const other = await openAtStranger(pages("300"), { posts: false });
  expect(await other.run("publish")).toMatchObject({ code: 0 });
});

it("UTF-8 that is declared as something else is called that", async () => {
  const headers = { "content-type": "text/html; charset=iso-8859-1" };
  const { run, write } = await openAtStranger(dialectA("A", { pages: { headers } }), { posts: false });
  await write("dist/ink/index.html", htmlPage("Ink", "<p>Über Tinte</p>"));
  const said = expect.stringContaining("the service sends ink as UTF-8, but declares it as iso-8859-1");
  expect(await run("publish")).toMatchObject({ code: 1, said });
  expect(await run("publish", "--verify")).toMatchObject({ code: 1 });
});

it("a form that another service may not take is named when it is sent, once", async () => {
  const { run, write } = await openAtStranger(dialectA("A"), { posts: false });
  await write("dist/contact/index.html", htmlPage("Contact", '<form method="post"><input name="mail"></form>'));
  const action = '<form method="post" action="https://forms.example/1"><input name="mail"></form>';
  await write("dist/other/index.html", htmlPage("Other", action));
  const said = expect.stringMatching(/The forms on contact submit to their own page, and nothing shows whether/);
  expect((await run("publish", "--accept")).said).toEqual(said);
  expect((await run("publish")).said).not.toEqual(said);
});
