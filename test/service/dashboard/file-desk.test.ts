import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import sharp from "sharp";
import * as z from "zod";
import { openBrowser } from "../../browser.ts";
import { openFileWorld } from "./file-world.ts";
import { lookAt, openSignedIn } from "./look.ts";

const world = openFileWorld();
const { pathOf, read, write, open, openDesk, type, expectSoon, save } = world;

test("a post of the project can be found in the list, edited, and saved, and its file changes only where it was edited", async () => {
  const page = await open("/");
  await page.getByRole("link", { name: "Project posts" }).first().click();
  await page.getByLabel("Find a post").fill("first");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expectSoon(() => page.locator("tbody tr").count()).toBe(1);
  expect(await page.locator("tbody tr").textContent()).toMatch(/^First postfirst-post\.mdready2022-07-08/);
  await page.getByRole("link", { name: "First post" }).click();
  await page.locator(".cm-content").waitFor();
  await chmod(pathOf("first-post.md"), 0o600);
  const before = await read("first-post.md");
  expect(await page.getByLabel("Pub date").inputValue()).toBe("2022-07-08");
  await page.getByLabel("Title", { exact: true }).fill("It's the first");
  await page.getByLabel("Pub date").fill("2024-02-29");
  await type(page, "Hello! ");
  const preview = page.frameLocator(".desk-preview iframe").locator("article");
  await expectSoon(() => preview.textContent()).toMatch(/It's the first[^]*Hello! This is the first post/);
  await page.getByRole("button", { name: "Show changes" }).click();
  await expectSoon(() => page.getByRole("dialog").locator("ins").allTextContents()).toContain("It's the first");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expectSoon(() => page.locator("#desk-status").textContent()).toContain("Saved at");
  const edited = [
    ["title: 'First post'", "title: 'It''s the first'"],
    ["pubDate: 'Jul 08 2022'", "pubDate: '2024-02-29'"],
    ["This is", "Hello! This is"],
  ] as const;
  expect(await read("first-post.md")).toBe(edited.reduce((text, [old, now]) => text.replace(old, () => now), before));
  expect((await stat(pathOf("first-post.md"))).mode & 0o777).toBe(0o600);
  expect((await readdir(pathOf("."))).toSorted()).toEqual([
    "first-post.md",
    "markdown-style-guide.md",
    "using-mdx.mdx",
  ]);
  await page.getByRole("link", { name: "Earlier versions" }).click();
  await page.locator("tbody a").first().click();
  await page.getByText("Changes from this version").waitFor();
  expect(await page.locator("del").allTextContents()).toContain("First post");
  await page.getByRole("button", { name: "Open in the editor" }).click();
  await page.locator(".cm-content").waitFor();
  await expectSoon(() => preview.locator("h1").textContent()).toBe("First post");
  await save(page);
  expect(await read("first-post.md")).toBe(before.replace("Jul 08 2022", "2022-07-08"));
});

const PLAIN =
  "\uFEFF---\r\ntitle:   Odd  # why\r\ndraft: true\r\nlayout: ../x.astro\r\nunknown: { a: [1,2] }\r\n---\r\n\r\n\r\nSetext\r\n======\r\n\r\n* star\r\n_em_  \r\n<Tag prop={1} />\r\n\ttab";

test("the cover of a file is shown beside its field, and in the preview", async () => {
  const page = await openDesk("first-post.md");
  const widthOf = (image: unknown) => Object(image).naturalWidth;
  const preview = page.frameLocator(".desk-preview iframe").locator(".cover img");
  await expectSoon(() => preview.evaluate(widthOf)).toBeGreaterThan(0);
  await expectSoon(() => page.getByRole("img", { name: "Hero image" }).evaluate(widthOf)).toBeGreaterThan(0);
});

test("a cover whose front matter has no field for an alternative text is used without asking for one", async () => {
  const schema = join(world.root, ".astro/collections/blog.schema.json");
  const before = await readFile(schema, "utf8");
  await writeFile(schema, before.replace(',"heroAlt":{"type":"string"}', ""));
  const page = await openDesk("first-post.md");
  const cover = page.getByLabel("Hero image", { exact: true });
  await cover.fill("");
  await page.getByRole("button", { name: "Choose a picture" }).click();
  await page.getByRole("button", { name: "cover.jpg" }).click();
  await expectSoon(() => cover.inputValue()).toBe("../../assets/cover.jpg");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  await page.getByRole("button", { name: "cover.jpg" }).click();
  await page.getByLabel("Alternative text").waitFor();
  await writeFile(schema, before);
});

test("the search lists the project's posts before pages of previews", async () => {
  const { routeSetA, apiKey } = world.service;
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ title: "First post", html: "<h1>First post</h1>" });
  await fetch(`${routeSetA}/api/pages/preview-pr-12--first-post`, { method: "PUT", headers, body });
  const page = await open("/search?q=first");
  expect(await page.locator(".found h2").allTextContents()).toEqual(["Project posts", "Pages of previews"]);
});

test("line ends, comments, unknown keys, and MDX are kept, even in a folder, and a key can be added and removed", async () => {
  await mkdir(pathOf("2024"), { recursive: true });
  await write("2024/odd.md", PLAIN);
  const page = await openDesk("2024/odd.md");
  expect(await page.getByLabel("Layout").inputValue()).toBe("../x.astro");
  await page.getByLabel("Draft").selectOption("");
  await page.getByLabel("Description").fill("Odd: but fine");
  await type(page, "X");
  await save(page);
  const wanted = PLAIN.replace("draft: true\r\n", "")
    .replace("}\r\n---", '}\r\ndescription: "Odd: but fine"\r\n---')
    .replace("Setext", "XSetext");
  expect(await read("2024/odd.md")).toBe(wanted);
  await rm(pathOf("2024"), { recursive: true });
  const before = await read("using-mdx.mdx");
  const mdx = await openDesk("using-mdx.mdx");
  expect(await mdx.locator("main").textContent()).toContain("components stay as they are");
  const preview = mdx.frameLocator(".desk-preview iframe").locator("article");
  await expectSoon(() => preview.textContent()).toContain("This theme comes with");
  expect(await preview.textContent()).not.toContain("import HeaderLink");
  await type(mdx, "Look: ");
  await save(mdx);
  expect(await read("using-mdx.mdx")).toBe(before.replace("This theme", "Look: This theme"));
});

test("a file that was changed outside the editor is never overwritten: both versions are shown and merged", async () => {
  const page = await openDesk("markdown-style-guide.md");
  const before = await read("markdown-style-guide.md");
  await type(page, "Mine. ");
  const theirs = before.replace("See the", "Look at the").replace("description: 'Basic", "description: 'Some basic");
  await write("markdown-style-guide.md", theirs);
  await page.locator(".cm-content").press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Two versions" }).waitFor();
  expect(await dialog.locator("del").allTextContents()).toContain("Some basic Markdown syntax");
  expect(await read("markdown-style-guide.md")).toBe(theirs);
  await dialog.getByRole("button", { name: "Merge both" }).click();
  await save(page);
  const merged = theirs.replace("Here is", "Mine. Here is");
  expect(await read("markdown-style-guide.md")).toBe(merged);
  await type(page, "<<<<<<< Yours\na\n=======\nb\n>>>>>>> Saved meanwhile\n");
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(() => page.locator(".error").textContent()).toContain("1 place needs your decision");
  expect(await read("markdown-style-guide.md")).toBe(merged);
  await rm(pathOf("markdown-style-guide.md"));
  await type(page, "More. ");
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(() => page.locator("#desk-status").textContent()).toContain("deleted or renamed");
  await write("markdown-style-guide.md", before);
});

test("unreadable or non-YAML front matter opens as text, with the reason", async () => {
  await write("broken.md", "---\ntitle: 'Open\ntags: [a\n---\nText\n");
  await writeFile(pathOf("latin.md"), Buffer.from("---\ntitle: Caf\xe9\n---\n", "latin1"));
  const list = await open("/files");
  expect(await list.locator("tr", { hasText: "broken.md" }).textContent()).toMatch(/invalidLine \d+: YAML/);
  const page = await openDesk("broken.md");
  expect(await page.locator("main").textContent()).toContain("The text below is the whole file.");
  expect(await page.locator("textarea[name=text]").inputValue()).toBe("---\ntitle: 'Open\ntags: [a\n---\nText\n");
  await page.getByRole("button", { name: "Plain text area" }).click();
  await page.locator("textarea[name=text]").fill("---\ntitle: 'Closed'\n---\nText\n");
  await page.getByRole("button", { name: "Save the file" }).click();
  await expectSoon(() => read("broken.md")).toBe("---\ntitle: 'Closed'\n---\nText\n");
  const latin = await open("/files/latin.md/edit");
  expect(await latin.locator("main").textContent()).toContain("valid UTF-8");
  await rm(pathOf("broken.md"));
  await rm(pathOf("latin.md"));
});

test("the reason why a post is on hold shows keys and values as code, not in backticks", async () => {
  await write("perhaps.md", "---\ntitle: Perhaps\npubDate: 2024-01-01\nstatus: perhaps\n---\n\nText.\n");
  const page = await open("/files");
  const row = page.locator("tbody tr", { hasText: "Perhaps" });
  expect(await row.textContent()).not.toContain("`");
  expect(await row.locator(".soft code").first().textContent()).toContain("status");
  await page.close();
  await rm(pathOf("perhaps.md"));
});

test("nothing outside the folder is read or written, and only users who may write posts see it", async () => {
  await writeFile(join(world.root, "secret.md"), "---\ntitle: Secret\n---\n");
  await symlink(join(world.root, "secret.md"), pathOf("link.md"));
  await symlink(world.root, pathOf("up"));
  const { request } = world.context;
  const headers = { Origin: world.service.api };
  for (const name of [
    "../../../secret.md",
    "link.md",
    "up/secret.md",
    "./first-post.md",
    "x/../first-post.md",
    "/etc/hosts.md",
    "first-post.md\0.md",
    "imprint.config.mjs",
  ]) {
    const path = `${world.service.api}/files/${encodeURIComponent(name)}`;
    expect([name, (await request.get(`${path}/edit`)).status()]).toEqual([name, 404]);
    expect([name, (await request.post(path, { headers, form: { text: "gone", version: "x" } })).status()]).toEqual([
      name,
      404,
    ]);
  }
  expect(await readFile(join(world.root, "secret.md"), "utf8")).toBe("---\ntitle: Secret\n---\n");
  await rm(pathOf("link.md"));
  await rm(pathOf("up"));
  const invited = await fetch(`${world.service.routeSetA}/api/users`, {
    method: "POST",
    headers: { Authorization: `Bearer ${world.service.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Vi", email: "vi@example.org", role: "viewer" }),
  });
  const { url } = z.object({ url: z.string() }).parse(await invited.json());
  const link = { createSignInLink: async () => ({ url, expiresAt: new Date() }) };
  const viewer = await openSignedIn(await openBrowser(), link, { scheme: "dark", width: 390 });
  expect((await viewer.request.get(`${world.service.api}/files`)).status()).toBe(403);
  const page = await viewer.newPage();
  await page.goto(world.service.api);
  expect(await page.getByRole("link", { name: "Project posts" }).count()).toBe(0);
});

test("a new post starts as a draft with the schema's front matter, and its pictures go to the posts' folder", async () => {
  const page = await open("/files");
  await page.getByRole("link", { name: "New post" }).click();
  await page.getByLabel("Title").fill("On rye");
  await page.getByRole("button", { name: "Create the file" }).click();
  await page.locator(".cm-content").waitFor();
  expect(await page.locator("main").textContent()).toContain("rename it to on-rye.md");
  await page.getByLabel("Description").fill("Rye bread");
  await type(page, "Rye takes time.\n\n");
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#a52" } })
    .png()
    .toBuffer();
  const loaf = { name: "A Loaf.png", mimeType: "image/png", buffer: bytes };
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  await page.getByLabel("Add a new one").setInputFiles(loaf);
  await page.getByLabel("Alternative text").fill("A loaf");
  await page.keyboard.press("Enter");
  const picture = page.frameLocator(".desk-preview iframe").getByRole("img", { name: "A loaf" });
  await expectSoon(() => picture.evaluate((image) => Number(Object(image).naturalWidth))).toBe(40);
  await page.getByRole("button", { name: "Choose a picture" }).click();
  await page.getByRole("button", { name: "a-loaf.png" }).click();
  await page.getByLabel("Alternative text").fill("A loaf on a board");
  await page.getByRole("button", { name: "Use the picture" }).click();
  await expectSoon(() => page.getByLabel("Hero image").inputValue()).toBe("../../assets/a-loaf.png");
  await save(page);
  const text = await read("_on-rye.md");
  expect((await page.locator("main").textContent()) ?? "").not.toContain("desk.");
  expect(text).toMatch(/^---\ntitle: On rye\ndescription: "?Rye bread"?\npubDate: \d{4}-\d\d-\d\d\n/);
  expect(text).toMatch(
    /\nheroImage: "?\.\.\/\.\.\/assets\/a-loaf\.png"?\nheroAlt: "?A loaf on a board"?\n---\n\nRye takes time\./,
  );
  expect(text).toContain("![A loaf](../../assets/a-loaf.png)");
  expect((await readFile(join(world.root, "src/assets/a-loaf.png"))).equals(bytes)).toBe(true);
  const again = await open("/files/new");
  await again.getByLabel("Title").fill("On rye");
  await again.getByRole("button", { name: "Create the file" }).click();
  await again.getByText("_on-rye.md already exists.").waitFor();
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  await page
    .getByLabel("Add a new one")
    .setInputFiles({ ...loaf, name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
  await page.getByRole("dialog").getByText("a.txt was not added").waitFor();
  for (const address of ["../../../imprint.config.mjs", "../../../../x.png", "/etc/x.png"]) {
    const query = new URLSearchParams({ address });
    expect(
      (await world.context.request.get(`${world.service.api}/files/_on-rye.md/pictures/shown?${query}`)).status(),
    ).toBe(404);
  }
  await rm(pathOf("_on-rye.md"));
});

test("the list and the editor are accessible and fit, in light and dark, on a desktop and on a phone", async () => {
  const page = await world.context.newPage();
  const looks = [
    { scheme: "light", width: 1280 },
    { scheme: "dark", width: 390 },
    ...(process.env["IMPRINT_SCREENSHOTS"] === undefined
      ? []
      : ([
          { scheme: "dark", width: 1280 },
          { scheme: "light", width: 390 },
        ] as const)),
  ] as const;
  for (const shown of [
    { name: "files", path: "/files" },
    { name: "file-desk", path: "/files/first-post.md/edit" },
  ]) {
    expect(await lookAt(page, { url: world.service.api }, { shown, looks })).toEqual([]);
  }
});
