import { join } from "node:path";
import { expect, it } from "vitest";
import { linesOf, readFolder, REPOSITORY } from "./folder.ts";

const ROOT = join(REPOSITORY, "test/fixtures/posts");

it("posts from every tool are read, and every error is reported with its location", async () => {
  const result = await readFolder(ROOT, { folder: "messy" });
  expect(result.posts.map(({ slug, title, publishedAt }) => [slug, title, publishedAt?.toISOString()])).toEqual([
    ["2013-05-05-jekyll", "From Jekyll", "2013-05-05T04:34:56.000Z"],
    ["from-hashnode", "From Hashnode", "2022-01-01T09:00:00.000Z"],
    ["astro", "First post", "2022-07-08T00:00:00.000Z"],
    ["markdown-parade", "Everything markdown can do", "2023-02-01T00:00:00.000Z"],
    ["second-footnote", "Another footnote of the same name", "2023-02-02T00:00:00.000Z"],
    ["links", "Links between posts", "2023-02-03T00:00:00.000Z"],
    ["script", "A script and a style", "2023-02-04T00:00:00.000Z"],
    ["entities", `Tom & Jerry's "<b>best</b>" of €5 — déjà vu`, "2023-02-05T00:00:00.000Z"],
    ["77710aed", "活版印刷について", "2023-02-06T00:00:00.000Z"],
    ["unicode-name", "Ümläute", "2023-02-07T00:00:00.000Z"],
    ["upper", "Upper-case keys and ending", "2023-02-08T00:00:00.000Z"],
    ["toml-date", "TOML with a local date", "2023-02-11T00:00:00.000Z"],
    ["json", "JSON front matter", "2023-02-12T10:00:00.000Z"],
    ["crlf-bom", "A mark and Windows lines", "2023-02-13T00:00:00.000Z"],
    ["empty-body", "Nothing but a title", "2023-02-14T00:00:00.000Z"],
    ["broken-image", "A broken picture", "2023-02-15T00:00:00.000Z"],
    ["cover", "With a cover", "2023-02-16T00:00:00.000Z"],
    ["shortcode", "Shortcodes and wikilinks", "2023-02-19T00:00:00.000Z"],
    ["eleventy-post", "From Eleventy", "2023-03-04T00:00:00.000Z"],
    ["hugo", "From Hugo", "2024-01-02T08:00:00.000Z"],
    ["numbers", "2024", "2024-02-29T00:00:00.000Z"],
    ["windows", "From Windows", "2024-05-06T00:00:00.000Z"],
    ["blank-lines", "After blank lines", "2024-05-07T00:00:00.000Z"],
    ["tag-soup", "1.10", "2024-05-08T00:00:00.000Z"],
    ["obsidian-note", "From Obsidian", undefined],
    ["rule", "And has its title here", undefined],
  ]);
  expect(result.drafts.map(({ slug }) => slug)).toEqual(["draft", "expired", "unpublished"]);
  expect(result.scheduled.map(({ slug }) => slug)).toEqual(["future"]);
  expect(linesOf(result)).toEqual([
    'POST_INVALID messy/bad-canonical.md:4:1 "canonical" must be a URL that starts with https://.',
    "POST_INVALID messy/bomb.md:1:1 The front matter has too many, too long, or too deeply nested values.",
    'POST_INVALID messy/draft-as-text.md:3:1 "draft" must be true or false, without quotes; "false" is neither.',
    "POST_INVALID messy/duplicate-key.md:4:1 YAML: duplicated mapping key.",
    `ASSET_MISSING messy/image-outside.md:6:11 The image "${"../".repeat(40)}etc/passwd" is outside the project and is not read.`,
    'POST_INVALID messy/impossible-date.md:3:1 "date": "2024-02-30" is not a valid date: that month has 29 days.',
    'POST_INVALID messy/javascript.md:1:1 JavaScript front matter is not supported. Use YAML: a line ---, then lines such as "title: My post", then a line ---.',
    "POST_INVALID messy/latin-1.md:4:4 The file isn't valid UTF-8 here. Save it as UTF-8.",
    'POST_INVALID messy/long-title.md:2:1 "title" has 304 characters; at most 200 are allowed.',
    'ASSET_MISSING messy/lost-image.md:7:9 The image "./images/lost.png" does not exist.',
    "POST_INVALID messy/many-tags.md:4:1 The post has 25 tags; at most 20 are allowed.",
    'POST_INVALID messy/template-date.md:3:1 "date" must be a date such as 2024-01-31.',
    'POST_SLUG_TAKEN messy/twin-a.md:3:1 messy/twin-a.md and messy/twin-b.md have the same slug, "twin".',
    'POST_SLUG_TAKEN messy/twin-b.md:3:1 messy/twin-a.md and messy/twin-b.md have the same slug, "twin".',
    'POST_INVALID messy/two-zones.md:3:1 "date": "2014-07-26 09:22:00 0000 -0500" can\'t be read as a date. Write it as 2024-01-31 or 2024-01-31T18:00:00+02:00.',
    "POST_INVALID messy/unclosed.md:1:1 The front matter that starts here has no closing line (---).",
    'POST_INVALID messy/untitled.md:1:1 The post has no title. Add a line such as "title: My post" to its front matter.',
  ]);
});
