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

/** A brand as mails and the pages before the dashboard show it; these are read on other hosts than published pages. */
export interface Letterhead {
  /** Of the site. */
  readonly name: string;
  /** Address of its home page. */
  readonly home: string;
  readonly theme: SurfaceTheme;
  readonly logo: LogoFile | undefined;
  /** What the logo stands on in light; `transparent` where the line above will do. */
  readonly plate: string;
  /** Corners of buttons, in CSS pixels. */
  readonly radius: number;
  /** HTML of the line above a page of the service. */
  readonly header: string;
  /** Style of a page that has the service's own style sheet. */
  readonly style: string;
}

/** Corners rounder than this are those of a pill, which mail programs draw each in their own way. */
const MOST_RADIUS = 24;

/** The brand of the site that something belongs to; `undefined` where that has no brand kit. */
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
h1 { font-weight: var(--heading-weight) }
button { border-radius: var(--button-radius, 8px) }
.bare { border-top: 4px solid var(--top, var(--fill)) } .bare main { padding-top: 12vh } .bare .top a { max-width: 34rem }
`;
