import type { RequestFacts } from "./outcome.ts";

// Names of records that services use besides the specification's.
const OTHER_NAMES: Readonly<Record<string, string>> = {
  assets: "assets|files|images|media",
  brandKits: "brand ?kits|kits",
  submissions: "submissions|leads|messages",
};

/** Whether a service responded to the request for a list with 404 because the list is empty: `No pages found`. */
export function saysNoneFound({ status, said = "" }: RequestFacts, operation: string): boolean {
  const [resource = "", action] = operation.split(".");
  if (status !== 404 || action !== "list") return false;
  const names = `${OTHER_NAMES[resource] ?? resource}|records|items|results|entries`;
  return new RegExp(String.raw`\bno (?:[\w-]+ ){0,2}(?:${names})\b`, "i").test(said);
}
