/** The service's own colors and fonts. */
export const PLAIN_VARIABLES = `:root { color-scheme: light dark; --body: ui-serif, Georgia, Cambria, "Times New Roman", serif; --heading: var(--body); --mono: ui-monospace, "Cascadia Code", Menlo, Consolas, monospace; --heading-weight: 650; --paper: #fbfaf8; --ink: #1d1b19; --soft: #6b655e; --line: #e4dfd8; --surface: #f3f0eb; --link: #a63d1f; --fill: #a63d1f; --on-fill: #ffffff; --fill-hover: #8e2f14; --edge: #a63d1f }
@media (prefers-color-scheme: dark) { :root { --paper: #191715; --ink: #f0ece6; --soft: #a59d93; --line: #37322d; --surface: #23201d; --link: #f09a78; --fill: #f09a78; --on-fill: #000000; --fill-hover: #f8ad8f; --edge: #f09a78 } }
`;

/** The header with logo and name. */
export const TOP_STYLE = `.top { background: var(--top, transparent); border-bottom: 1px solid var(--top, var(--line)) }
.top a { display: flex; align-items: center; gap: .75rem; max-width: 46rem; min-height: 4.25rem; margin: 0 auto; padding: .75rem var(--gutter); color: var(--on-top, var(--ink)); text-decoration: none; font: var(--heading-weight) 1.125rem/1.25 var(--heading); overflow-wrap: anywhere }
.top a:hover { color: var(--on-top, var(--link)) }
.top :focus-visible { outline-color: var(--on-top, var(--link)) }
.top picture { display: flex; flex: none }
.top img { display: block; height: 2.25rem; width: auto; max-width: 13rem; object-fit: contain; border-radius: 0 }
.top .plate { padding: .375rem .625rem; border-radius: 8px; background: var(--plate) }
`;

// In an author's own boxes, whose background isn't that of the page, headings have the color of the box.
const PLAIN_BOX = ":is(section, article, div):not([class], [style], [bgcolor])";
const POST_HEADINGS = `:is(.post-body, .post-body > ${PLAIN_BOX}) > :is(h1, h2, h3, h4)`;

// Styles of the service's own pages. A brand changes only the custom properties, which come before these rules: see
// `look/`.
export const PAGE_STYLE = `
*, *::before, *::after { box-sizing: border-box }
html { --gutter: 1.5rem; background: var(--ground, var(--paper)); -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { max-width: var(--wrapper-width, none); min-height: calc(100vh - 2 * var(--wrapper-margin, 0px)); margin: var(--wrapper-margin, 0) auto; border-radius: var(--wrapper-radius, 0); box-shadow: var(--wrapper-shadow, none); display: flex; flex-direction: column; background: var(--paper); color: var(--ink); border-top: 4px solid var(--top, var(--fill)); font: var(--text-size, 1.0625rem)/1.65 var(--body) }
${TOP_STYLE}.bottom { margin-top: auto; background: var(--bottom, transparent); border-top: 1px solid var(--bottom, var(--line)) }
.bottom a { display: block; max-width: 46rem; margin: 0 auto; padding: 1.75rem var(--gutter); color: var(--on-bottom, var(--soft)); font-size: .9375rem; overflow-wrap: anywhere }
.bottom :focus-visible { outline-color: var(--on-bottom, var(--link)) }
main { width: 100%; max-width: calc(var(--text-width, 43rem) + 2 * var(--gutter)); margin: 0 auto; padding: clamp(2rem, 7vh, 4.5rem) var(--gutter) 5rem }
h1, h2, h3, h4 { line-height: 1.18; text-wrap: balance; font-family: var(--heading); font-weight: var(--heading-weight); letter-spacing: -.012em; overflow-wrap: break-word }
:where(main :is(h1, h2, h3, h4)):where(:not(.post-body *)), :where(${POST_HEADINGS}) { color: var(--heading-ink, inherit) }
h1 { margin: 0 0 1rem; font-size: clamp(min(2rem, var(--h1, 2.9rem)), 6vw, var(--h1, 2.9rem)) }
h2 { margin: 2.2em 0 .6em; font-size: min(var(--h2, 1.5rem), 2.25rem) }
h3 { margin: 2em 0 .5em; font-size: 1.2rem }
p { text-wrap: pretty }
a { color: var(--link); text-underline-offset: .18em; text-decoration-thickness: .08em }
a:hover { text-decoration-thickness: .14em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px }
::selection { background: var(--fill); color: var(--on-fill) }
small, time, figcaption, .soft { color: var(--soft); font-size: .9375rem; line-height: 1.5 }
img, video { max-width: 100%; height: auto; border-radius: min(var(--radius, 8px), 2rem) }
figure { margin: 2em 0 }
pre { overflow-x: auto; padding: 1rem 1.15rem; background: var(--surface); border: 1px solid var(--line); border-radius: min(var(--radius, 8px), 2rem); font-size: .875rem; line-height: 1.6 }
code, kbd, samp, pre { font-family: var(--mono) }
:not(pre) > code { padding: .1em .35em; background: var(--surface); border-radius: 4px; font-size: .88em }
pre:not(.text, [dir]) { direction: ltr }
pre.text { white-space: pre-wrap; font: inherit; background: none; border: 0; padding: 0 }
blockquote { margin: 1.75em 0; padding-inline-start: 1.25rem; border-inline-start: 3px solid var(--edge); color: var(--soft) }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5em 0 }
mark { background: var(--fill); color: var(--on-fill); padding: 0 .15em }
.button { display: inline-block; padding: var(--button-padding, .7rem 1.2rem); background: var(--button, var(--fill)); color: var(--on-button, var(--on-fill)); border-radius: var(--button-radius, 8px); box-shadow: inset 0 0 0 1.5px var(--button-edge, var(--edge)); font-weight: 600; font-size: 1rem; line-height: 1.3; text-decoration: none }
.button:hover { background: var(--button-hover, var(--fill-hover)) }
.said { margin: auto; padding-block: 3rem 6rem }
.said p { max-width: 34rem } .said .button { margin-top: .75rem }
.number { margin: 0; color: var(--link); font: var(--heading-weight) clamp(4rem, 16vw, 6.5rem)/1 var(--heading); letter-spacing: -.03em }
.number + h1 { margin-top: .75rem; font-size: clamp(1.6rem, 5vw, 2.1rem) }
.check { display: grid; place-items: center; width: 4rem; height: 4rem; margin: 0 0 1.5rem; border-radius: 50%; background: var(--fill); box-shadow: inset 0 0 0 1.5px var(--edge) }
.check svg { width: 2rem; height: 2rem; fill: none; stroke: var(--on-fill); stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round }
@media print { body { border: 0 } .top, .bottom, .pager { display: none } }
`;

// The site's own header and footer replace the default header.
export const FRAME_STYLE = `
body { border-top: 0 }
.frame { all: initial; display: block; flex: none; color-scheme: inherit }
main { flex: 1 0 auto }
.said { flex: none }
@media print { .frame { display: none } }
`;

// Styles of a blog's list and the parts around a post's body. `html/post-body-style` styles the body.
export const BLOG_STYLE = `
.lead { margin: 0; color: var(--soft); font-size: 1.1875rem; line-height: 1.5; overflow-wrap: anywhere }
.back { margin: 0 0 1.5rem; font-size: .9375rem; overflow-wrap: anywhere }
.facts { display: flex; flex-wrap: wrap; gap: .1rem .6rem; margin: 0; color: var(--soft); font-size: .9375rem; line-height: 1.5; overflow-wrap: anywhere }
.facts > * { min-width: 0 } .facts > :not(:last-child)::after { content: "·"; margin-inline-start: .6rem }
.tags { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 0; padding: 0 }
.tags li { min-width: 0 }
.tags a { display: block; min-height: 1.75rem; padding: .2rem .75rem; background: var(--surface); border: 1px solid var(--line); border-radius: 99px; color: var(--link); font-size: .875rem; line-height: 1.35; text-decoration: none; overflow-wrap: anywhere }
.tags a:hover { border-color: var(--edge) }
.posts { list-style: none; margin: 2.5rem 0 0; padding: 0 }
.posts > li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.1rem; padding: 1.9rem 0; border-top: 1px solid var(--line) }
.posts h2 { margin: .3rem 0 .45rem; font-size: 1.5rem; overflow-wrap: anywhere }
.posts h2 a { color: inherit; text-decoration: none }
.posts h2 a:hover { color: var(--link); text-decoration: underline; text-decoration-thickness: .06em }
.posts .excerpt { margin: 0; overflow-wrap: anywhere }
.posts .tags { margin-top: .9rem }
.thumb { display: block } .thumb img { display: block; width: 100%; aspect-ratio: 16 / 9; object-fit: cover; background: var(--surface) }
@media (min-width: 40rem) { .posts > li:has(.thumb) { grid-template-columns: minmax(0, 1fr) 11.5rem; gap: 2rem } .posts .thumb { order: 1 } .thumb img { aspect-ratio: 4 / 3 } }
.post-head { margin: 0 0 2.25rem } .post-head h1 { margin: 0 0 .85rem; overflow-wrap: anywhere }
.cover { margin: 1.75rem 0 0 } .cover img { display: block; width: 100%; max-height: 34rem; object-fit: cover; background: var(--surface) }
.post-foot { margin: 3.5rem 0 0; padding: 1.5rem 0 0; border-top: 1px solid var(--line) }
.neighbors { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; margin: 2rem 0 0 }
.neighbors a { display: block; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: min(var(--radius, 8px), 2rem); color: inherit; text-decoration: none; overflow-wrap: anywhere; line-height: 1.4 }
.neighbors a:hover { border-color: var(--edge); color: var(--link) }
.neighbors span { display: block; margin-bottom: .15rem; color: var(--soft); font-size: .875rem }
@media (min-width: 40rem) { .neighbors { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) } .neighbors [rel="next"] { grid-column: 2; text-align: end } }
.pager { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 2rem; padding-top: 2rem; border-top: 1px solid var(--line) }
.notice { margin: 0 0 2rem; padding: .8rem 1.1rem; background: var(--surface); border: 1px solid var(--line); border-inline-start: 4px solid var(--edge); border-radius: 8px; font-size: .9375rem }
@media print { .neighbors, .notice { display: none } }
`;
