import { expect, it } from "vitest";
import { lostParts } from "../../src/posts/identity/lost-parts.ts";

const LINKS = '<p><a href="https://x.example/nests">nests</a> and <a href="/p/about">us</a></p>';

it.each([
  { sent: LINKS, shown: LINKS.replaceAll(/<\/?a[^>]*>/g, ""), lost: ["links"] },
  { sent: LINKS, shown: LINKS.replace(/<a href="https[^>]*>/, ""), lost: ["links"] },
  {
    sent: LINKS,
    shown: LINKS.replace("https://x.example/nests", "https://l.example/?u=https%3A%2F%2Fx.example%2Fnests"),
    lost: [],
  },
  { sent: LINKS, shown: LINKS.replace("https://x.example/nests", "https://l.example/to/x.example/nests"), lost: [] },
  { sent: LINKS, shown: LINKS.replace("/p/about", "https://pages.example/p/about"), lost: [] },
  { sent: '<a href="#eggs">eggs</a> <a href="imprint-post:ink">ink</a>', shown: "eggs ink", lost: [] },
  { sent: "<ul><li>One</li></ul>", shown: "<p>One</p>", lost: ["lists"] },
  { sent: "<ul><li>One</li></ul>", shown: "<nav><ul><li>Home</li></ul></nav><ul><li>One</li></ul>", lost: [] },
  { sent: "<h2>Nests</h2>", shown: "<h1>A post</h1><h3>Nests</h3>", lost: [] },
  { sent: "<blockquote>Wise</blockquote>", shown: "<p>Wise</p>", lost: ["quotations"] },
  { sent: "<p><del>90</del> 40</p>", shown: "<p>90 40</p>", lost: ["struck-out text"] },
  { sent: "<p><del>90</del> 40</p>", shown: "<p><s>90</s> 40</p>", lost: [] },
  { sent: "<p>10<sup>2</sup></p>", shown: "<p>102</p>", lost: ["raised and lowered characters"] },
  { sent: "<pre>a\nb</pre>", shown: "<pre>a b</pre>", lost: ["line breaks in code"] },
  { sent: "<pre>a\nb</pre>", shown: "<pre>a<br>b</pre>", lost: [] },
  {
    sent: "<p>x &lt; y &amp; z</p>",
    shown: "<p>x &amp;lt; y &amp;amp; z</p>",
    lost: ["characters < and &, which it shows as &lt; and &amp;"],
  },
  { sent: "<p>x &lt; y</p>", shown: "<p>x &#60; y</p>", lost: [] },
])("$sent shown as $shown lacks $lost", ({ sent, shown, lost }) => {
  expect(lostParts(sent, shown)).toEqual(lost);
});
