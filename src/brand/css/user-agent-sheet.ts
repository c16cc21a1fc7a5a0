import { parseSheet } from "./parse-sheet.ts";

/** What browsers do without any style of the page, as far as colors and fonts go. */
export const USER_AGENT_SHEET = parseSheet(
  `
  html { color: CanvasText; font-family: -imprint-default; font-weight: 400 }
  a[href] { color: LinkText }
  b, strong, th, h1, h2, h3, h4, h5, h6 { font-weight: 700 }
  code, pre, kbd, samp { font-family: monospace }
  button, input, select, textarea { font-family: -imprint-control; font-weight: 400; color: ButtonText }
  button, input[type=submit], input[type=button], input[type=reset] { background-color: ButtonFace }
  mark { background-color: Mark; color: MarkText }
  [hidden], area, base, head, link, meta, noscript, script, style, template, title, dialog:not([open]),
  [popover] { display: none }
  `,
  "about:user-agent",
);
