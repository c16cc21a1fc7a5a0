import { ImprintError } from "../base/error.ts";
import type { ImprintApi, Site } from "../client/api.ts";
import { printable } from "./printable.ts";

/** The site that a person means: by its id, its slug or its name. Throws `USAGE` where that is none, or several. */
export async function findSite(api: ImprintApi, text: string, signal: AbortSignal | undefined): Promise<Site> {
  const { items } = await api.sites.list({ ...(signal !== undefined && { signal }) });
  const [byId] = items.filter(({ id, slug }) => id === text || slug === text);
  const byName = items.filter(({ name }) => name === text);
  const site = byId ?? byName[0];
  if (site === undefined) {
    throw new ImprintError("USAGE", `There is no site "${text}".`, { hint: "See `imprint sites list`." });
  }
  if (byId === undefined && byName.length > 1) {
    const ids = byName.map(({ id }) => id).join(", ");
    throw new ImprintError("USAGE", `${byName.length} sites are called "${text}": ${ids}.`, {
      hint: "Name it by its id.",
    });
  }
  return site;
}

/** A site in a few words: its name, else its slug or id. */
export function nameSite({ id, name, slug }: Site): string {
  return printable(name ?? slug ?? id);
}
