import { ImprintError } from "../base/error.ts";

const OPTIONS = {
  requests: "requestLogDays",
  events: "eventDays",
  submissions: "submissionDays",
  stats: "statsDays",
} as const;

type Retention = { readonly [Name in (typeof OPTIONS)[keyof typeof OPTIONS]]?: number | null };

/** Reads `--keep events=90 submissions=forever`; throws `USAGE`. */
export function parseRetention(texts: readonly string[]): Retention {
  return Object.fromEntries(texts.map(parseOne));
}

function parseOne(text: string): readonly [string, number | null] {
  const [, name = "", days = ""] = /^([a-z]+)=(\d{1,5}|forever)$/.exec(text) ?? [];
  if (isName(name) && days !== "0") return [OPTIONS[name], days === "forever" ? null : Number(days)];
  throw new ImprintError("USAGE", `--keep does not know "${text}".`, {
    hint: `Write days or \`forever\`, as in \`--keep events=90 submissions=forever\`; there are ${Object.keys(OPTIONS).join(", ")}.`,
  });
}

function isName(name: string): name is keyof typeof OPTIONS {
  return Object.hasOwn(OPTIONS, name);
}
