import { pluralize } from "../../base/pluralize.ts";
import type { SiteWarning } from "../../site/model.ts";

/** A warning with all of its places; its own is the first. */
export interface ReportedWarning extends SiteWarning {
  /** Number of files that have it. */
  readonly pages: number;
  readonly places: readonly Place[];
}

type Place = Pick<SiteWarning, "file" | "line" | "column">;

/** Groups equal warnings about the same subject, so that an image missing on 60 pages doesn't bury others. */
export function groupWarnings(warnings: readonly SiteWarning[]): readonly ReportedWarning[] {
  const groups = new Map<string, { readonly warning: SiteWarning; readonly places: Place[] }>();
  for (const warning of warnings) {
    const key = `${warning.code} ${warning.target ?? warning.message}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { warning, places: [placeOf(warning)] });
    else group.places.push(placeOf(warning));
  }
  return Array.from(groups.values(), ({ warning, places }) => ({
    ...warning,
    pages: new Set(places.map(({ file }) => file)).size,
    places,
  }));
}

/** A warning that a report shows, and how many others of its kind it omits there. */
interface ShownWarning {
  readonly warning: ReportedWarning;
  readonly more: number;
}

/**
 * Chooses the first warnings of each kind, so that hundreds of dead links don't bury the rest of a report. The last one
 * shown has the number of those that aren't.
 */
export function foldWarnings(warnings: readonly ReportedWarning[], most: number): readonly ShownWarning[] {
  const kindOf = ({ code, isNotice }: ReportedWarning) => `${code} ${isNotice === true}`;
  const kinds = Map.groupBy(warnings, kindOf);
  const places = new Map<string, number>();
  return warnings.flatMap((warning) => {
    const kind = kinds.get(kindOf(warning)) ?? [];
    const place = (places.get(kindOf(warning)) ?? 0) + 1;
    places.set(kindOf(warning), place);
    return place > most ? [] : [{ warning, more: place === most ? kind.length - most : 0 }];
  });
}

function placeOf({ file, line, column }: SiteWarning): Place {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

const NAMED = 3;

/** Describes where a warning applies: its place, or the number of its pages and the first of them, one per line. */
export function describeGroup({ pages, places }: ReportedWarning): {
  readonly subject: string;
  readonly places: readonly string[];
} {
  const byFile = new Map<string, Place>();
  for (const place of places) if (!byFile.has(place.file)) byFile.set(place.file, place);
  const firsts = [...byFile.values()];
  if (pages < 2) {
    const others = places.length - 1;
    const more = others === 0 ? "" : ` and ${pluralize(others, "more place")}`;
    return { subject: firsts.map(renderPlace).join("") + more, places: [] };
  }
  const noun = firsts.every(({ file }) => file.endsWith(".html") || file.startsWith("/")) ? "page" : "file";
  const more = pages > NAMED ? [`… and ${pages - NAMED} more`] : [];
  return {
    subject: pluralize(pages, noun),
    places: [...firsts.slice(0, NAMED).map(renderPlace), ...more],
  };
}

/** Describes the places of a warning in one line: the first three files, and how many more. */
export function describePlaces(warning: ReportedWarning): string {
  const { subject, places } = describeGroup(warning);
  return places.length === 0 ? subject : places.join(", ").replace(", …", " …");
}

function renderPlace({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}
