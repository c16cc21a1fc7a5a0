// What was just done travels in the address of the next page by name, so that nobody can make the dashboard say
// something else.
const NOTICES: Readonly<Record<string, string>> = {
  "page-published": "The page is published.",
  "page-unpublished": "The page is a draft now; visitors are told that it is gone.",
  "page-deleted": "The page is deleted.",
  "page-saved": "The changes are saved.",
};

/** The sentence of a notice; `undefined` for a name that there is none for. */
export function findNotice(name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(NOTICES, name) ? NOTICES[name] : undefined;
}
