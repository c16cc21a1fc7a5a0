import { createHash } from "node:crypto";

// One look for the few pages that the service speaks for itself with. Nothing is loaded, so they work offline.
const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf8; --ink: #1d1b19; --soft: #6b655e; --line: #e4dfd8; --accent: #a63d1f }
@media (prefers-color-scheme: dark) { :root { --paper: #191715; --ink: #f0ece6; --soft: #a59d93; --line: #37322d; --accent: #f09a78 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.65 ui-serif, Georgia, Cambria, "Times New Roman", serif; -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
main { max-width: 42rem; margin: 0 auto; padding: clamp(2.5rem, 10vh, 7rem) 1.5rem 5rem }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; font-weight: 650; letter-spacing: -.012em }
h1 { margin: 0 0 1rem; font-size: clamp(1.9rem, 5vw, 2.6rem) }
h2 { margin: 2.2em 0 .6em; font-size: 1.4rem }
p { text-wrap: pretty }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .08em }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px }
small, time, .soft { color: var(--soft); font: .875rem/1.5 ui-sans-serif, system-ui, sans-serif }
img, video { max-width: 100%; height: auto; border-radius: 6px }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; font-size: .875rem; line-height: 1.55 }
code { font-family: ui-monospace, "Cascadia Code", Menlo, monospace; font-size: .9em }
pre.text { white-space: pre-wrap; font: inherit; border: 0; padding: 0 }
blockquote { margin: 1.5em 0; padding-left: 1.1rem; border-left: 3px solid var(--line); color: var(--soft) }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5em 0 }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { border-bottom: 1px solid var(--line); padding: .45rem .8rem; text-align: left }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.2rem } dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
.posts { list-style: none; margin: 2.5rem 0 0; padding: 0 } .posts li { padding: 1.4rem 0; border-top: 1px solid var(--line) }
.posts h2 { margin: .15rem 0 .3rem; font-size: 1.35rem } .posts p { margin: .3rem 0 0 } .posts a { color: inherit; text-decoration: none } .posts a:hover { color: var(--accent) }
.number { margin: 0 0 .5rem; font: 600 .875rem ui-sans-serif, system-ui, sans-serif; letter-spacing: .08em; color: var(--accent) }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** A policy under which nothing but the look of these pages works: no script, no frame, no form. */
export const PLAIN_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface HtmlPage {
  readonly title: string;
  /** HTML of the head beside title and style. */
  readonly head?: string;
  /** HTML of the main part; every text in it is escaped already. */
  readonly main: string;
  /** Absent: not known, as for what a blog's owner wrote. */
  readonly language?: string;
}

/** A whole HTML document in the look of the service. */
export function renderPage({ title, head = "", main, language }: HtmlPage): string {
  return `<!doctype html>
<html${language === undefined ? "" : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

/** A text in the place of HTML content or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
