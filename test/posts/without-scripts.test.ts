import { expect, test } from "vitest";
import { withoutScripts } from "../../src/posts/write/without-scripts.ts";

test.each([
  [
    '<figure onclick="a()"><img src="/a.png" onerror=a()><script>a()</script></figure>',
    '<figure ><img src="/a.png" ></figure>',
  ],
  ['<a href=" java\nscript:a()">b</a> <a HREF="JavaScript:a()">c</a>', "<a >b</a> <a >c</a>"],
  ['<iframe src="/a/" srcdoc="<script>a()</script>"></iframe>', '<iframe src="/a/" ></iframe>'],
  ['<img onload="a()" onload="b()">', "<img  >"],
  ['<svg><script>a()</script><path d="M0 0" onfocus="a()"/></svg>', '<svg><path d="M0 0" /></svg>'],
  [
    "<p>Use <code>&lt;script&gt;</code>, and onclick=&quot;a()&quot;.</p>",
    "<p>Use <code>&lt;script&gt;</code>, and onclick=&quot;a()&quot;.</p>",
  ],
])("%j brings no script into the site", (html, expected) => {
  expect(withoutScripts(html)).toBe(expected);
});
