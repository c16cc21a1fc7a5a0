import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, trackedFiles } from "./sources.ts";

/** Words that the project doesn't use, and what it writes instead; `docs/glossary.md` has the terms. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tell|tells|telling|tellings|told|untold)\b/gi, "report, say, describe, distinguish"],
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

/** One use of a retired word. */
export interface RetiredWord {
  /** `src/cli/print.ts:12`. */
  readonly place: string;
  readonly word: string;
  readonly instead: string;
}

/** Every retired word in the sources and in what people read. */
export function findRetiredWords(): readonly RetiredWord[] {
  const paths = trackedFiles().filter((path) =>
    /^(?:src|docs)\/.*\.(?:tsx?|md|js)$|^(?:README|CONTRIBUTING)\.md$/.test(path),
  );
  return paths.flatMap((path) => retiredWordsIn(path, readFileSync(join(REPOSITORY, path), "utf8")));
}

export function retiredWordsIn(path: string, text: string): readonly RetiredWord[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      RETIRED.flatMap(([pattern, instead]) =>
        [...line.matchAll(pattern)].map(([word]) => ({ place: `${path}:${index + 1}`, word, instead })),
      ),
    );
}
