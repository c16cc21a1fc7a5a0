import { expect, it } from "vitest";
import { blockedParts, missingParts } from "../../src/html/blocked-parts.ts";

const ADDRESS = "https://pages.example.org/p/home";
const FILES = "https://files.example.net/a";
const PAGE = `<!doctype html><html><head>
<link rel="stylesheet" href="${FILES}/site.css"><style>p{color:red}</style>
<script type="module" src="${FILES}/site.js"></script><script>let a = 1;</script>
<script type="application/ld+json">{}</script></head><body>
<noscript><style>p{}</style></noscript>
<img src="${FILES}/a.png" alt=""><iframe src="https://video.example.com/1"></iframe>
<form action="https://forms.example.com/"></form></body></html>`;

const ALL = ["styles", "scripts", "images", "frames", "forms"];

it.each([
  ["", []],
  ["frame-ancestors 'self'", []],
  ["default-src * 'unsafe-inline' data:; form-action *", []],
  [`default-src https: 'unsafe-inline'`, []],
  ["default-src 'none'; form-action 'none'", ALL],
  ["default-src 'self'; form-action 'self'", ALL],
  ["default-src 'self' https://*.example.net https://video.example.com 'unsafe-inline'", []],
  ["script-src https://files.example.net", ["scripts"]],
  ["script-src https://files.example.net 'unsafe-inline' 'nonce-abc'", ["scripts"]],
  ["style-src https://files.example.net/a/ 'unsafe-inline'", []],
  ["style-src https://files.example.net/b/ 'unsafe-inline'", ["styles"]],
  ["img-src data: https://files.example.net:444", ["images"]],
  ["sandbox", ["scripts", "forms"]],
  ["sandbox allow-scripts allow-forms", []],
  ["default-src *, script-src 'none'", ["styles", "scripts"]],
])("a page with the policy %j is shown without %j", (policy, expected) => {
  expect(blockedParts(PAGE, { url: ADDRESS, policy })).toEqual(expected);
});

const MEDIA = `<style>@font-face{font-family:Z;src:url(${FILES}/z.woff2)}</style><video src="${FILES}/film.mp4"></video>
<object data="${FILES}/a.pdf"></object>`;

it.each([
  ["default-src 'self'; style-src 'self' 'unsafe-inline'", ["fonts", "media", "embeds"]],
  ["font-src 'self' data:", ["fonts"]],
  ["media-src 'self'", ["media"]],
  ["object-src 'none'", ["embeds"]],
  ["default-src 'self' https://files.example.net 'unsafe-inline'", []],
])("a page with the policy %j is shown without its media: %j", (policy, expected) => {
  expect(blockedParts(MEDIA, { url: ADDRESS, policy })).toEqual(expected);
});

const OWN_FRAME = `<iframe src="/p/chart"></iframe><p style="color:red" onclick="count()">Chart</p>`;

it.each([
  ["frame-ancestors 'none'", ["frames"]],
  ["frame-ancestors https://other.example", ["frames"]],
  ["frame-ancestors 'self'", []],
  ["frame-ancestors https:", []],
  ["script-src-attr 'none'", ["scripts"]],
  ["script-src 'self' 'unsafe-inline'; script-src-attr 'unsafe-inline'", []],
  ["style-src 'self'", ["styles"]],
  ["style-src 'self'; style-src-attr 'unsafe-inline'", []],
])("a page with the policy %j is shown without its own frame, handlers, and styles: %j", (policy, expected) => {
  expect(blockedParts(OWN_FRAME, { url: ADDRESS, policy })).toEqual(expected);
});

it.each([
  ["connect-src 'self'", ["scripts"]],
  ["default-src 'self'; script-src 'unsafe-inline'", ["scripts"]],
  ["connect-src 'self' https://files.example.net", []],
])("a page with the policy %j doesn't get the data that its script requests: %j", (policy, expected) => {
  const html = `<script>fetch("${FILES}/data.json").then(show)</script>`;
  expect(blockedParts(html, { url: ADDRESS, policy })).toEqual(expected);
});

it("a policy that a host adds to the head of a page counts, and one that the page brings doesn't", () => {
  const withPolicy = (policy: string, html: string) =>
    `<meta http-equiv="Content-Security-Policy" content="${policy}">${html}`;
  const sent = withPolicy("media-src 'none'", MEDIA);
  const visit = { url: ADDRESS, policy: undefined };
  expect(missingParts(sent, sent, visit)).toEqual([]);
  expect(missingParts(sent, withPolicy("font-src 'self'", sent), visit)).toEqual(["fonts"]);
  expect(missingParts(sent, withPolicy(" media-src  'none' ;", MEDIA), visit)).toEqual([]);
});
