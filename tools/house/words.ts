import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, trackedFiles } from "./sources.ts";

/** Retired words, and their replacements; `docs/glossary.md` has the terms. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tell|tells|telling|tellings|told|untold)\b(?! (?:apart|whether|which)\b)/gi, "report, say, show, describe"],
  [/\b(?:mend|mends|mended|mending)\b/gi, "fix"],
  [/\bscenes?\b/gi, "context"],
  [/\bkeepers?\b/gi, "store, repository or worker"],
  [/\b(?:workshops?|Shop)\b/g, "rewrite context"],
  [/\bshel(?:f|ves)\b/gi, "registry"],
  [/\bdeeds?\b/gi, "action"],
  [/\bmoods?\b/gi, "variant"],
  [/\boccasions?\b/gi, "run mode"],
  [/\blanes?\b/gi, "queue or slot"],
  [/\blets? in\b/gi, "sign in"],
  [/\bheld back\b/gi, "on hold"],
  [/\b(?:Http)?Exchange\b/g, "RequestContext"],
  [/\b(?:HttpAnswer|Answer|answerOf|sendAnswer)\b/g, "Response or Result"],
  [/\b(?:nowhere else than|is over\.|given up)\b/gi, "plain English"],
];

const READ = /^(?:src|docs)\/.*\.(?:tsx?|md|js|ya?ml)$|^(?:README|CONTRIBUTING)\.md$/;
/** Files with the specification's own words or the names of tests. */
const NOT_OURS = /^docs\/(?:specification|route-coverage)\.md$/;

/** One use of a retired word. */
export interface RetiredWord {
  /** `src/cli/print.ts:12`. */
  readonly place: string;
  readonly word: string;
  readonly instead: string;
}

/** Finds every retired word in the sources and the docs. */
export function findRetiredWords(): readonly RetiredWord[] {
  const paths = trackedFiles().filter((path) => READ.test(path) && !NOT_OURS.test(path));
  return paths.flatMap((path) => retiredWordsIn(path, readFileSync(join(REPOSITORY, path), "utf8")));
}

export function retiredWordsIn(path: string, text: string): readonly RetiredWord[] {
  return RETIRED.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => {
      const line = text.slice(0, index).split("\n").length;
      return { place: `${path}:${line}`, word, instead };
    }),
  );
}
