import type { Dialect } from "../../client.ts";
import { good, type Check } from "./check.ts";

/** How the host wants to be written to, where that differs from what is usual; nothing for a host that is as expected. */
export function checkDialect(dialect: Dialect): readonly Check[] {
  const facts = describeDialect(dialect);
  return facts.length === 0 ? [] : [good("Dialect", `${facts.join("; ")} (kept in imprint.lock.json)`)];
}

function describeDialect(dialect: Dialect): readonly string[] {
  const { filePart, pageBody, newPageBody, pageFields, postBody, blogName, siteName, brandKitName } = dialect;
  const { slugMaxLength, slugSeparator, html, scripts, edits, unserved = {} } = dialect;
  return [
    ...(isUsual(filePart, "file") ? [] : [`files are sent as "${filePart}"`]),
    ...(pageBody === undefined ? [] : [`changed pages as ${pageBody}`]),
    ...(isUsual(newPageBody, "multipart") ? [] : [`new pages as ${newPageBody}`]),
    ...(isUsual(pageFields, "all") ? [] : [`pages with ${pageFields === "html" ? "HTML only" : "their title only"}`]),
    ...(isUsual(postBody, "html") ? [] : [`posts as "${postBody}"`]),
    ...(isUsual(blogName, "name") ? [] : ["blogs have a title"]),
    ...(isUsual(siteName, "name") ? [] : ["sites have a title"]),
    ...(isUsual(brandKitName, "name") ? [] : ["brand kits have a title"]),
    ...(slugMaxLength === undefined ? [] : [`slugs of at most ${slugMaxLength} characters`]),
    ...(slugSeparator === undefined ? [] : [`slugs with "${slugSeparator}"`]),
    ...(html === "changed" ? ["HTML is written anew"] : html === "hidden" ? ["HTML is not shown"] : []),
    ...(scripts === undefined ? [] : ["scripts are removed"]),
    ...(edits === undefined ? [] : ["edits can't be seen in lists"]),
    ...Object.entries(unserved).map(([kind, why]) => `${kind} are put into pages, because ${why}`),
  ];
}

function isUsual(value: string | undefined, usual: string): boolean {
  return value === undefined || value === usual;
}
