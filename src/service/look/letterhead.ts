import type { SurfaceTheme } from "../../brand/surface-theme.ts";
import type { Addresses } from "../resources/addresses.ts";
import {
  createBrandLooks,
  findKit,
  findSubjectSite,
  homePathOf,
  type AccountRecords,
  type LogoFile,
  type LookSubject,
} from "./look.ts";
import { TOP_STYLE } from "./styles.ts";

/** A brand for mails and the sign-in pages, which are shown on other hosts than published pages. */
export interface Letterhead {
  /** Name of the site. */
  readonly name: string;
  /** URL of its home page. */
  readonly home: string;
  readonly theme: SurfaceTheme;
  readonly logo: LogoFile | undefined;
  /** Background of the logo in light mode; `transparent` if the header's suffices. */
  readonly plate: string;
  /** Border radius of buttons, in CSS pixels. */
  readonly radius: number;
  /** HTML of the header of a service page. */
  readonly header: string;
  /** CSS for a page that uses the service's own style sheet. */
  readonly style: string;
}

/** A larger radius makes a pill, which mail clients render inconsistently. */
const MOST_RADIUS = 24;

/** Returns the brand of a subject's site; `undefined` if it has no brand kit. */
export async function findLetterhead(
  { database, accountId, addresses }: AccountRecords & { readonly addresses: Addresses },
  subject: LookSubject,
): Promise<Letterhead | undefined> {
  const site = await findSubjectSite({ database, accountId }, subject);
  const kit = site && (await findKit({ database, accountId }, site));
  if (site === undefined || kit === undefined) return undefined;
  const { name } = site;
  const home = addresses.pagesUrl + homePathOf(site);
  const pagesUrl = addresses.libraryUrl ?? addresses.pagesUrl;
  const looks = await createBrandLooks({ name, home, pagesUrl, kit, filesAt: new URL(pagesUrl).origin });
  const { theme, logo, plates, variables, header } = looks;
  const radius = Math.min(MOST_RADIUS, kit.design?.button?.radius ?? 8);
  const style = `${variables}${APP_STYLE}${TOP_STYLE}`;
  const { light: plate } = plates;
  return { name, home, theme, logo, plate, radius, header, style };
}

const APP_STYLE = `
html { --gutter: 1.1rem }
:root { --sans: var(--body); --serif: var(--heading); --raised: var(--paper) }
h1 { color: var(--heading-ink); font-weight: var(--heading-weight) }
button { --fill: var(--button); --on-fill: var(--on-button); --fill-hover: var(--button-hover); border-radius: var(--button-radius, 8px) }
.bare { border-top: 4px solid var(--top, var(--fill)) } .bare main { padding-top: 12vh } .bare .top a { max-width: 34rem }
`;
