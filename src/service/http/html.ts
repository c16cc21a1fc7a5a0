import type { Look } from "../look/look.ts";

export interface HtmlPage {
  readonly title: string;
  /** HTML of the head beside title and style. */
  readonly head?: string;
  /** HTML of the main part; every text in it is escaped already. */
  readonly main: string;
  /** Absent: not known, as for what a blog's owner wrote. */
  readonly language?: string;
  readonly look: Look;
  /** `said`: a few words in the middle of the window. Default: a page to read. */
  readonly layout?: "said";
}

/** A whole HTML document in the look of a site, or of the service. */
export function renderPage({ title, head = "", main, language, look, layout }: HtmlPage): string {
  return `<!doctype html>
<html${language === undefined ? "" : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}${look.head}<style>${look.style}</style>
</head>
<body>
${look.header}<main${layout === undefined ? "" : ` class="${layout}"`}>
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
