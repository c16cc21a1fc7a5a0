import { describe, expect, it } from "vitest";
import { partsOf, removedParts } from "../../src/html/page-parts.ts";

const PAGE = `<!doctype html><head><style>p { color: red }</style></head><body><iframe src="/map"></iframe><form></form></body>`;

describe("elements that hosts remove from pages", () => {
  it("are found in a built page", () => {
    expect(partsOf(PAGE)).toEqual(["styles", "frames", "forms", "canonical", "indexing"]);
    expect(partsOf(`<link rel="stylesheet" href="/a.css"><script src="/a.js"></script><svg></svg>`)).toEqual([
      ...["scripts", "styles", "drawings"],
    ]);
    expect(partsOf(`<script type="application/ld+json">{}</script>`)).toEqual([]);
  });

  it("are found if the sent page has them and the shown page doesn't", () => {
    const shown = PAGE.replace(/<style>.*<\/style>/, "").replace(/<iframe.*<\/iframe>/, "");
    expect(removedParts(PAGE, shown)).toEqual(["styles", "frames"]);
    expect(removedParts(PAGE, PAGE)).toEqual([]);
  });

  it("don't include comments", () => {
    expect(removedParts(`<!-- <iframe></iframe> --><p>Hi</p>`, "<p>Hi</p>")).toEqual([]);
  });

  it("are counted for scripts, because hosts add their own", () => {
    const sent = `<script>one()</script><script>two()</script>`;
    expect(removedParts(sent, `<script>host()</script>`)).toEqual(["scripts"]);
    expect(removedParts(sent, `${sent}<script>host()</script>`)).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ["<button>Buy</button><button>Sell</button>", "<button>Search Acme</button>", ["buttons"]],
    ["<table><tr><td>1</td></tr></table>", "<table><tr><td>1</td></tr></table><table></table>", []],
    [`<script>show("<button>Buy</button><table>")</script>`, "", ["scripts"]],
    ["<audio src=/a.mp3></audio><details></details><embed src=/a.pdf>", "", ["media", "details", "embeds"]],
    [`<meta name="robots" content="noindex">`, `<meta name="robots" content="index,follow">`, ["robots"]],
    [`<meta content="noindex, nofollow" name=robots>`, `<meta name="robots" content="noindex,nofollow">`, []],
    [`<meta http-equiv="refresh" content="0;url=/a"><meta name="robots" content="noindex">`, "", ["redirects"]],
    [`<meta name="robots" content="max-image-preview:large">`, "", []],
  ])("are counted where nothing stands for them: %s", (sent, shown, parts) => {
    expect(removedParts(sent, shown)).toEqual(parts);
  });

  it("include images whose addresses a host moves to where only a script finds them, unless it adds one", () => {
    const sent = `<img alt="Felt" src="/felt.jpg">`;
    const delayed = `<img alt="Felt" data-src="/felt.jpg" class="lazyload">`;
    expect(removedParts(sent, delayed)).toEqual(["images"]);
    expect(removedParts(sent, `${delayed}<script src="/lazysizes.js"></script>`)).toEqual([]);
    expect(removedParts(sent, `<img alt="Felt" srcset="/felt-400.jpg 400w">`)).toEqual([]);
    expect(removedParts(delayed, delayed)).toEqual([]);
  });

  const own = `<link rel="stylesheet" href="https://x.example/files/a1/site.css?v=1"><style>h1{color:#123}p{margin:0}</style><script>document.title += "!"</script>`;
  const layout = (rest: string) =>
    `<head><link rel="stylesheet" href="/theme.css"><style>body { margin: 0 }</style><script src="/host.js"></script></head>${rest}`;

  it.each<[string, string, readonly string[]]>([
    ["all", layout(""), ["scripts", "styles"]],
    ["scripts", layout(own.replace(/<script.*/, "")), ["scripts"]],
    ["linked style sheets", layout(own.replace(/<link[^>]*>/, "")), ["styles"]],
    ["styles in the page", layout(own.replace(/<style.*style>/, "")), ["styles"]],
    ["nothing", layout(own), []],
    ["nothing, as it formats them", layout(own.replace("h1{color:#123}", "h1 {\n  color: #123;\n}")), []],
  ])("are noticed if a host replaces them by its own: %s", (_, shown, parts) => {
    expect(removedParts(own, shown)).toEqual(parts);
  });

  it("don't include a linked style sheet that a host puts into the page", () => {
    const sheet = `<style>${Array.from({ length: 30 }, (_, index) => `.c${index}{top:${index}px}`).join("")}</style>`;
    expect(removedParts(`<link rel="stylesheet" href="/site.css">`, sheet)).toEqual([]);
  });

  const pixel = `<img src="https://stats.example/p.gif" width="1" height="1">`;

  it.each<{ host: string; sent: string; shown: string; parts: readonly string[] }>([
    { host: "a pixel", sent: `<img src="/felt.jpg" alt="">`, shown: pixel, parts: ["images"] },
    {
      host: "nothing",
      sent: `<img src="/felt.jpg">`,
      shown: `<img src="https://cdn.example/w=400/felt.jpg" loading="lazy">${pixel}`,
      parts: [],
    },
    { host: "nothing", sent: `<img src="/felt.jpg">`, shown: `<img src="https://cdn.example/7f3.avif">`, parts: [] },
    {
      host: "a frame",
      sent: `<iframe src="https://v.example/1"></iframe>`,
      shown: `<iframe src="/tag"></iframe>`,
      parts: ["frames"],
    },
    {
      host: "a form",
      sent: `<form><input name="ink"></form>`,
      shown: `<form><input name="mail"></form>`,
      parts: ["forms"],
    },
    {
      host: "no form",
      sent: `<form><input name="ink"></form>`,
      shown: `<form><input type="text" name="ink"></form>`,
      parts: [],
    },
    {
      host: "its menu",
      sent: `<a href="/p/about">About</a>`,
      shown: `<a href="/pricing">Prices</a>About`,
      parts: ["links"],
    },
    {
      host: "no link",
      sent: `<a href="/p/about/">About</a>`,
      shown: `<a href="/out?to=%2Fp%2Fabout">About</a>`,
      parts: [],
    },
    {
      host: "addresses of people",
      sent: `<a href="mailto:a@x.example">A</a>`,
      shown: `<a href="/cdn-cgi/l/email-protection#3e">A</a>`,
      parts: [],
    },
  ])("are noticed although the host adds $host", ({ sent, shown, parts }) => {
    expect(removedParts(sent, shown)).toEqual(parts);
  });

  it("include links that lead nowhere", () => {
    expect(removedParts(`<a href="/p/about">About</a>`, `<a href="#">About</a>`)).toEqual(["links"]);
  });
});

it.each([
  `<iframe srcdoc="<img src='https://files.example/photo.png'>"></iframe>`,
  `<iframe srcdoc="&lt;img src=&quot;https://files.example/photo.png?a=1&amp;amp;b=2&quot;&gt;"></iframe>`,
  `<iframe title=x srcdoc='<a href="/about">About</a>' class="x"></iframe>`,
])("a frame with a document of its own isn't missed where it is shown: %s", (frame) => {
  const page = (html: string) => `<html><body><p>Demo</p>${html}</body></html>`;
  expect(removedParts(page(frame), page(frame))).toEqual([]);
  expect(removedParts(page(frame), page(""))).toContain("frames");
});
