import { expect, it } from "vitest";
import { withPostMarker } from "../../../src/posts/identity/marker.ts";
import { checkPost, classifyPage } from "../../../src/sync/verify/checks.ts";
import { readPage } from "../../../src/sync/verify/read-page.ts";
import { localPost } from "../../posts/local-post.ts";

const ADDRESS = "https://x.example/p/about";
const BODY = "<h1>About us</h1><p>We print books by hand and mix our own inks.</p>";
const PLAIN = `<p>We don't "hurry" -- we print... and we like it 🐦, all day long.</p>`;
const EMOJI_PICTURE = '<img class="emoji" alt="🐦" src="https://s.example/1f426.svg">';
const TYPESET = `<p>We don’t “hurry” – we print… and we like it ${EMOJI_PICTURE}, all day long.</p>`;
const SENT = `<title>About</title>${BODY}${PLAIN}<p><a href="mailto:me@x.example">me@x.example</a></p>`;
const LAYOUT = `<title>Acme</title><nav>Acme</nav>${SENT}`;
const HIDDEN = `<a href="/cdn-cgi/l/email-protection#3f2a"><span class="__cf_email__">[email protected]</span></a>`;

const responseOf = (text: string) =>
  ({
    kind: "answer",
    status: 200,
    contentType: "text/html",
    isDownload: false,
    address: ADDRESS,
    text,
    obstacle: undefined,
  }) as const;

it.each([
  { name: "as sent", shown: SENT, found: undefined },
  { name: "in a layout with a title of its own", shown: LAYOUT, hasOwnTitles: true, found: undefined },
  { name: "with another title", shown: LAYOUT, found: "its title is" },
  {
    name: "with hidden addresses of people",
    shown: `<title>About</title>${BODY}${PLAIN}<p>${HIDDEN}</p>`,
    found: undefined,
  },
  { name: "typeset", shown: SENT.replace(PLAIN, TYPESET), found: undefined },
  { name: "with an address made clickable", shown: SENT.replace("inks.", `<a href="x:y">ink</a>s.`), found: undefined },
  { name: "with a marked word", shown: SENT.replace("hurry", "<abbr>hurry</abbr>"), found: undefined },
  { name: "with another word, marked", shown: SENT.replace("hurry", "<abbr>worry</abbr>"), found: "another page" },
  { name: "with words in another order", shown: SENT.replace("books by hand", "hand by books"), found: "another page" },
  { name: "without an emoji", shown: SENT.replace("🐦", ""), found: "another page" },
  { name: "with other words in quotes", shown: SENT.replace('"hurry"', "“worry”"), found: "another page" },
  { name: "without a sentence", shown: "<title>About</title><h1>About us</h1>", found: "another page" },
  { name: "without an address", shown: `<title>About</title>${BODY}${PLAIN}`, found: "another page" },
])("a page that a host shows $name is judged by its words", async ({ shown, found, hasOwnTitles = false }) => {
  const sent = readPage(SENT, ADDRESS);
  const page = readPage(shown, ADDRESS);
  const finding = await classifyPage(responseOf(shown), { page, hash: "0", hasOwnTitles, readSent: async () => sent });
  expect(finding?.found.slice(0, 12)).toBe(found);
});

const FINE = "<p>Ink is a fine paint.</p>";

it.each([
  { state: "confirmed", title: "ink", found: "an older text of the post is shown" },
  { state: "adopted", title: "ink", found: undefined },
  { state: "adopted", title: "pens", found: 'its title is shown as "pens"' },
  { state: "acknowledged", title: "pens", found: undefined },
] as const)(
  "a post with a former marker is judged by how the blog got it: $state, $title",
  ({ state, title, found }) => {
    const sent = localPost("ink", { html: FINE });
    const uid = "0123456789abcdef";
    const former = withPostMarker(state === "confirmed" ? "<p>Ink is a paint.</p>" : FINE, {
      uid,
      source: "0".repeat(12),
      project: "abcd",
    });
    const post = { sent, uids: new Set([uid]), state, listedTitle: title };
    expect(checkPost(post, responseOf(`<title>${title}</title>${former}`))?.found).toBe(found);
  },
);
