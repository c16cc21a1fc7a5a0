// Bodies of posts as publishers send them, each with something that is wider than a phone by itself. Colors, figures and
// formulas are what Shiki, KaTeX and GFM footnotes make.

const LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);
const LONG_ADDRESS = `https://example.org/${"a-very-long-path-without-any-space/".repeat(8)}?q=${"x".repeat(80)}`;
const LINE = `const answer = await fetch("https://example.org/api/v1/things/that/never/end", { method: "POST", body });`;
const PIXEL = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#0d7c74"/></svg>')}`;

function table(columns: number): string {
  const cells = (tag: string, text: string) =>
    Array.from({ length: columns }, (_, index) => `<${tag}>${text} ${index + 1}</${tag}>`).join("");
  return `<table><thead><tr>${cells("th", "Measurement")}</tr></thead><tbody>${`<tr>${cells("td", "1,234,567.89")}</tr>`.repeat(3)}</tbody></table>`;
}

const MATH =
  "<math xmlns='http://www.w3.org/1998/Math/MathML' display='block'><semantics><mrow>" +
  "<mi>x</mi><mo>=</mo><mn>123456789</mn><mo>+</mo>".repeat(30) +
  "</mrow><annotation encoding='application/x-tex'>x = y</annotation></semantics></math>";

const KATEX = `<span class="katex-display"><span class="katex"><span class="katex-mathml">${MATH}</span><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.6944em;"></span>${'<span class="mord mathnormal">x</span>'.repeat(200)}</span></span></span></span>`;

const INLINE_KATEX = `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math></span><span class="katex-html" aria-hidden="true">x</span></span>`;

/** Shiki with one theme, which is dark. */
const ONE_THEME = `<pre class="astro-code github-dark" style="background-color:#24292e;color:#e1e4e8; overflow-x: auto;" tabindex="0" data-language="ts"><code><span class="line"><span style="color:#E1E4E8">${LINE}</span></span></code></pre>`;

/** Shiki with two themes, of which the light one is the default. */
export const TWO_THEMES = `<pre class="astro-code astro-code-themes" style="background-color:#fff;--shiki-dark-bg:#0d1117;color:#1f2328;--shiki-dark:#e6edf3; overflow-x: auto;" tabindex="0" data-language="ts"><code><span class="line"><span id="token" style="color:#CF222E;--shiki-dark:#FF7B72">const</span><span style="color:#1F2328;--shiki-dark:#E6EDF3"> x = ${LINE}</span></span></code></pre>`;

/** Shiki with the theme `css-variables`. */
export const VARIABLES = `<pre class="astro-code css-variables" style="background-color:var(--astro-code-background);color:var(--astro-code-foreground); overflow-x: auto;" tabindex="0"><code><span class="line"><span id="variable" style="color:var(--astro-code-token-keyword)">import</span> <span style="color:var(--astro-code-token-string)">"${LONG_ADDRESS}"</span> <span style="color:var(--astro-code-token-comment)">// a comment</span></span></code></pre>`;

const NESTED = `${"<ul><li>One level deeper ".repeat(9)}<code>${LONG_WORD}</code>${"</li></ul>".repeat(9)}`;

/** HTML of posts by their slugs. */
export const AWKWARD_POSTS: Readonly<Record<string, string>> = {
  table: table(9),
  "table-in-list": `<ul><li>${table(7)}</li></ul><blockquote>${table(7)}</blockquote>`,
  "table-of-code": `<table style="width:900px"><tr><td><code>${LONG_WORD}</code></td><td width="600"><a href="#a">${LONG_ADDRESS}</a></td><td><img src="${PIXEL}" alt=""></td></tr></table>`,
  "inline-code": `<p>Run <code>${LONG_WORD}--with-a-flag=${LONG_WORD}</code> and <kbd>${LONG_WORD}</kbd>.</p>`,
  address: `<p>See <a href="#a">${LONG_ADDRESS}</a> or ${LONG_ADDRESS}.</p>`,
  words: `<h2>${LONG_WORD}</h2><p>${LONG_WORD}</p><blockquote><p>${LONG_WORD}</p></blockquote>`,
  math: `${KATEX}<p>${MATH}</p><p>And ${INLINE_KATEX.repeat(3)} in a line.</p>`,
  "inline-math": `<p>${KATEX.replace("katex-display", "inline").replace("display='block'", "")}</p>`,
  code: `${ONE_THEME}${TWO_THEMES}${VARIABLES}<pre><code>${LINE}</code></pre>`,
  images: `<p><img src="${PIXEL}" width="1600" height="900" alt=""></p><figure style="width:1000px"><img src="${PIXEL}" style="width:900px" alt=""><figcaption>${LONG_WORD}</figcaption></figure>`,
  embeds: `<iframe title="Film" width="1120" height="630" srcdoc="<p>Film</p>"></iframe><video width="1280" height="720"></video><audio controls style="width:900px"></audio><object width="900" type="image/svg+xml" data="${PIXEL}"></object><svg role="img" aria-label="Plot" width="1000" height="40" viewBox="0 0 1000 40"><rect width="1000" height="40"/></svg><canvas width="1200" height="20"></canvas>`,
  widths: `<div style="width:900px;min-width:800px">Fixed</div><p style="white-space:nowrap">${"Never broken ".repeat(30)}</p><div style="display:flex">${"<div style='min-width:200px'>Column</div>".repeat(5)}</div><div style="position:absolute;left:700px">Far</div><section style="margin-right:-300px">Bleeds</section>`,
  lists: `${NESTED}<dl><dt>${LONG_WORD}</dt><dd>${LONG_ADDRESS}</dd><dd>Second</dd></dl><ol start="1234567"><li>Far</li></ol>`,
  fields: `<details open><summary>${LONG_WORD}</summary><p>Inside</p></details><fieldset><legend>${LONG_WORD}</legend><p>Set</p></fieldset>`,
  footnotes: `<p>Text<sup><a href="#fn" id="ref" data-footnote-ref aria-describedby="label">1</a></sup></p><section data-footnotes class="footnotes"><h2 class="sr-only" id="label">Footnotes</h2><ol><li id="fn"><p>${LONG_ADDRESS} <a href="#ref" data-footnote-backref aria-label="Back to reference 1">↩</a></p></li></ol></section>`,
  cjk: `<div lang="ja"><p>${"日本語の文章はとても長いです。".repeat(40)}</p></div>`,
};

/** What else of a post can be too wide. */
export const AWKWARD_FIELDS = {
  title: `On ${LONG_WORD}`,
  excerpt: LONG_ADDRESS.slice(0, 300),
  author: LONG_WORD.slice(0, 150),
  tags: [LONG_WORD.slice(0, 60), "ink", "日本語", "paper and string"],
};
