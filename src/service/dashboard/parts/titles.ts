// Titles of records whose names were made for programs.
import { domainToASCII, domainToUnicode } from "node:url";

// Couples to `sync/asset-name.ts`: imprint recognizes its uploads by the project and the hash in their names.
const UPLOAD_MARK = /\.[0-9a-z]{4,32}\.[0-9a-f]{16}(?=(?:\.[a-z0-9]+)?$)/;

/**
 * Returns the name that a file has in its site. A file that a person adds gets it too, because imprint would take one
 * with the mark for its own: a downloaded picture that was edited, or a part of one.
 */
export function fileTitle({ name }: { readonly name: string }): string {
  return name.replace(UPLOAD_MARK, "");
}

const UNNAMED = /^form-(\d+)$/;

/** Returns a form's name or, if its page gives it none, where it is. */
export function formTitle({ name, pageSlug }: { readonly name: string; readonly pageSlug: string }): string {
  return UNNAMED.test(name) ? goalTitle(`${name} on ${pageSlug}`) : name;
}

/** Returns the title of a goal, which is named by a form and its page. */
export function goalTitle(name: string): string {
  return name.replace(/^form-(\d+)(?= on )/, (_, number: string) => (number === "1" ? "Form" : `Form ${number}`));
}

/** Returns the Unicode form of a domain: `münchen.example` for `xn--mnchen-3ya.example`. */
export function domainTitle(domain: string): string {
  return domainToUnicode(domain) || domain;
}

/** Returns a text that is searched for in names of domains as they are stored, which is as in DNS. */
export function searchedInDomains(text: string): string {
  return domainToASCII(text) || text;
}
