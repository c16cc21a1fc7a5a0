import { createHash } from "node:crypto";
import { POST_BODY_STYLE } from "../../html/post-body-style.ts";
import { BLOG_STYLE, PAGE_STYLE } from "./styles.ts";

/** How a page of the service looks. Every text in it is escaped already. */
export interface Look {
  readonly style: string;
  /** A policy under which nothing but this look works: no script, no frame, no form, nothing of another host. */
  readonly policy: string;
  /** HTML of the head: icons and the color of the browser's own frame. */
  readonly head: string;
  /** HTML of the line above the page: logo and name of the site. Empty where no site is known. */
  readonly header: string;
}

/** Makes a look from custom properties and what stands above and beside the page. */
export function createLook(
  variables: string,
  { head = "", header = "" }: Partial<Pick<Look, "head" | "header">> = {},
): Look {
  const style = `\n${variables}${PAGE_STYLE}${POST_BODY_STYLE}${BLOG_STYLE}`;
  const hash = createHash("sha256").update(style).digest("base64");
  // Pictures and fonts come from the library, which stands on the same host.
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { style, policy, head, header };
}

/** The service's own colors and fonts. */
export const PLAIN_VARIABLES = `:root { color-scheme: light dark; --body: ui-serif, Georgia, Cambria, "Times New Roman", serif; --heading: var(--body); --mono: ui-monospace, "Cascadia Code", Menlo, Consolas, monospace; --heading-weight: 650; --paper: #fbfaf8; --ink: #1d1b19; --soft: #6b655e; --line: #e4dfd8; --surface: #f3f0eb; --link: #a63d1f; --fill: #a63d1f; --on-fill: #ffffff; --fill-hover: #8e2f14; --edge: #a63d1f }
@media (prefers-color-scheme: dark) { :root { --paper: #191715; --ink: #f0ece6; --soft: #a59d93; --line: #37322d; --surface: #23201d; --link: #f09a78; --fill: #f09a78; --on-fill: #000000; --fill-hover: #f8ad8f; --edge: #f09a78 } }
`;

/** The look of a service that knows no site: nothing is loaded, so it works offline. */
export const PLAIN_LOOK = createLook(PLAIN_VARIABLES);
