import { expect, it } from "vitest";
import { findLostTitle } from "../../src/posts/identity/lost-title.ts";
import { showsMarkup, showsText } from "../../src/posts/identity/resemblance.ts";

const page = (title: string) => `<!doctype html><title>${title} | Blog</title><h1>${title}</h1><p>Text</p>`;
const LONG = "Why the museum closes on Mondays";

it.each([
  { title: LONG, shown: { page: page("Why the museum cl"), listed: "Why the museum cl" }, lost: "Why the museum cl" },
  { title: LONG, shown: { page: undefined, listed: "Why the museum cl" }, lost: "Why the museum cl" },
  { title: LONG, shown: { page: page("Untitled"), listed: undefined }, lost: "" },
  { title: LONG, shown: { page: page("Untitled"), listed: "" }, lost: "" },
  { title: LONG, shown: { page: page(LONG), listed: "Why the museum cl" } },
  { title: LONG, shown: { page: page("Our post"), listed: LONG }, lost: "Our post" },
  { title: LONG, shown: { page: `<title>${LONG}</title><h1>${LONG}</h1><p>Text</p>`, listed: undefined } },
  {
    title: LONG,
    shown: { page: `<h1>${LONG.replace("museum", "mus<b>eum</b>")}</h1> <p>Text</p>`, listed: undefined },
  },
  { title: LONG, shown: { page: "<p>A layout without titles</p>", listed: LONG } },
  { title: LONG, shown: { page: undefined, listed: undefined } },
  { title: "Ink & “paper”", shown: { page: page("INK &amp; 'paper'"), listed: "Ink & 'paper'" } },
  { title: "Ink & paper", shown: { page: page("Ink and paper"), listed: "Ink and paper" } },
  {
    title: "Ink & <paper>",
    shown: { page: page("Ink &amp;amp; &amp;lt;paper&amp;gt;"), listed: "Ink &amp; &lt;paper&gt;" },
  },
  { title: "🐦", shown: { page: page("?"), listed: "?" } },
])("the title $title shown as $shown.listed is lost: $lost", ({ title, shown, lost }) => {
  expect(findLostTitle({ title }, shown)?.instead).toBe(lost);
});

it.each([
  ["<p>Ink</p>", "<main><p>&lt;p&gt;Ink&lt;/p&gt;</p></main>", true],
  ["<ul><li>Ink</li></ul>", "<p>&lt;ul>&lt;li>Ink&lt;/li>&lt;/ul></p>", true],
  ["<p>Ink</p>", "<main><p>Ink</p><textarea>&lt;p&gt;Ink&lt;/p&gt;</textarea></main>", false],
  ["<p>Ink</p>", '<meta content="&lt;p&gt;Ink&lt;/p&gt;"><p>Ink</p><script>"<p>Ink</p>"</script>', false],
  ["<pre>&lt;p&gt;Ink&lt;/p&gt;</pre>", "<pre>&lt;p&gt;Ink&lt;/p&gt;</pre>", false],
])("the text of %s is HTML in %s: %s", (html, shown, isText) => {
  expect(showsMarkup(html, shown)).toBe(isText);
});

it.each([
  ["<p>new text</p>", "<title>New</title><h1>New</h1><p>new text</p>", true],
  ["<p>new <b>te</b>xt</p>", "<h1>New</h1> <p>new <b>te</b>xt</p>", true],
  ["<p>new text</p>", "<title>New</title><h1>New</h1><p>other words</p>", false],
])("the text of %s is on the page %s: %s", (html, page, isShown) => {
  expect(showsText(html, page)).toBe(isShown);
});
