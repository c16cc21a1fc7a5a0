import { describe, expect, it } from "vitest";
import { readPage, readStyleSheet } from "../../../src/sync/verify/read-page.ts";

const ADDRESS = "https://pages.example/p/about";

function filesOf(html: string): readonly string[] {
  return readPage(html, ADDRESS).files.map(
    ({ use, address }) => `${use} ${address.replace("https://pages.example", "")}`,
  );
}

describe("a page's files", () => {
  it.each([
    [`<img src="/a.png" srcset="/b.png 1x, /c.png 2x">`, ["image /a.png", "image /b.png", "image /c.png"]],
    [`<picture><source srcset="/a.avif 480w"></picture>`, ["image /a.avif"]],
    [
      `<video src="/a.mp4" poster="/a.jpg"><track src="/a.vtt"></video>`,
      ["media /a.mp4", "image /a.jpg", "any /a.vtt"],
    ],
    [`<object data="/a.pdf"></object><embed src="/b.pdf">`, ["any /a.pdf", "any /b.pdf"]],
    [`<link rel="stylesheet" href="/a.css"><link rel="icon" href="/a.svg">`, ["style /a.css", "image /a.svg"]],
    [
      `<link rel="modulepreload" href="/a.js"><link rel="manifest" href="/a.webmanifest">`,
      ["script /a.js", "any /a.webmanifest"],
    ],
    [`<link rel="preload" as="image" href="/a.png" imagesrcset="/b.png 2x">`, ["image /a.png", "image /b.png"]],
    [`<link rel="preload" as="font" href="/a.woff2">`, ["any /a.woff2"]],
    [`<meta property="og:image" content="https://pages.example/a.png">`, ["image /a.png"]],
    [`<style>@import "/a.css"; p { background: url(/b.png) }</style>`, ["style /a.css", "any /b.png"]],
    [`<p style="background: url('/a.png')">`, ["any /a.png"]],
    [`<script src="/a.js"></script><script type="module" src="/b.js"></script>`, ["script /a.js", "script /b.js"]],
    [`<script type="importmap">{"imports":{"x":"/a.js","y/":"/b/"}}</script>`, ["script /a.js"]],
    [`<astro-island component-url="/a.js" renderer-url="@i/x">`, ["script /a.js"]],
    [`<svg><image href="/a.png"/><use href="/b.svg#icon"/><use href="#own"/></svg>`, ["image /a.png", "image /b.svg"]],
    [`<base href="/docs/"><img src="a.png">`, ["image /docs/a.png"]],
  ])("are found in %s", (html, files) => {
    expect(filesOf(html)).toEqual(files);
  });

  it.each([
    `<img src="data:image/png;base64,AA"><img src=""><img src="blob:x">`,
    `<template><img src="{image.url}"></template>`,
    `<script type="application/json" src="/a.json"></script><script>import "/b.js"</script>`,
    `<svg><path fill="url(#a)" style="fill: url(#a)"/></svg>`,
  ])("are ignored in %s", (html) => {
    expect(filesOf(html)).toEqual([]);
  });

  it("are found in stylesheets, relative to the stylesheet", () => {
    expect(readStyleSheet(`@import "b.css"; p { background: url(../c.png) }`, "https://x.example/css/a.css")).toEqual([
      { address: "https://x.example/css/b.css", use: "style" },
      { address: "https://x.example/c.png", use: "any" },
    ]);
  });
});

it("reads links with their anchors, and whether a form sends a POST request", () => {
  const html = `<a href="/p/x#b%C3%BC">x</a><a href="#top">t</a><a href="mailto:a@b.example">m</a>
    <map><area href="/p/y"></map><form action="/f" method="post"><button formaction="/g" formmethod="get"></button></form>`;
  expect(
    readPage(html, ADDRESS).links.map(({ address, anchor, isPost }) => [address.slice(21), anchor, isPost]),
  ).toEqual([
    ["/p/x", "bü", false],
    ["/p/about", undefined, false],
    ["/p/y", undefined, false],
    ["/f", undefined, true],
    ["/g", undefined, false],
  ]);
});

it("returns the same shape for pages with the same scripts and different text and styles", () => {
  const page = (text: string, script: string) =>
    readPage(`<style>.${text}{color:red}</style><p>${text}<script>${script}</script>`, ADDRESS).shape;
  expect(page("one", "run()")).toBe(page("other", "run()"));
  expect(page("one", "run()")).not.toBe(page("one", "walk()"));
});
