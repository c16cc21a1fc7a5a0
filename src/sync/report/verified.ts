/** What `--verify` found at the public addresses after publishing. */
export interface Verified {
  /** Published pages whose address was fetched. */
  readonly pages: number;
  /** Posts whose address was fetched. */
  readonly posts: number;
  /** Distinct files that the pages and posts load from the hosts of the pages and of the library. */
  readonly files: number;
  /** Distinct links of the pages that lead to the hosts of the pages, with their anchors. */
  readonly links: number;
  readonly problems: readonly LiveProblem[];
  /** Addresses that redirect; they are live where `to` is. */
  readonly redirects: readonly { readonly address: string; readonly to: string }[];
  /** Pages opened in a browser and how many shapes of pages there are; absent without `--verify=browser`. */
  readonly browser?: { readonly pages: number; readonly shapes: number };
}

/** Something that is not live as it was published. */
export interface LiveProblem {
  /** `browser`: a request that fails or an error in the console that occurs only on the published page. */
  readonly kind: "page" | "post" | "file" | "link" | "browser";
  readonly address: string;
  /** What was found: `404`, `text/html instead of image/png`, `an older version of the page is shown`. */
  readonly found: string;
  /** Slugs of the pages and posts that use the address, in the order of the site. */
  readonly usedBy: readonly string[];
  /** What to do. */
  readonly hint: string;
}

/** `Verified 12 pages, 34 files and 80 links: all live.` */
export function verifiedLine({ pages, posts, files, links, problems, browser }: Verified): string {
  const counts = [
    pluralize(pages, "page"),
    ...(posts === 0 ? [] : [pluralize(posts, "post")]),
    pluralize(files, "file"),
    pluralize(links, "link"),
  ];
  const opened = browser === undefined ? "" : `, ${pluralize(browser.pages, "page")} in a browser`;
  const result = problems.length === 0 ? "all live" : pluralize(problems.length, "problem");
  return `Verified ${new Intl.ListFormat("en-GB").format(counts)}${opened}: ${result}.`;
}

/** `page about: 404 at https://…`, in one line. */
export function problemLine({ kind, usedBy, address, found }: LiveProblem): string {
  const subject = kind === "page" || kind === "post" ? `${kind} ${usedBy.join(", ")}` : kind;
  return `${subject} ${address}: ${found}`;
}

const NAMED = 5;

/** `used by 50 pages: about, contact, …`; `undefined` where the problem is that of one page and names it. */
export function usersLine({ kind, usedBy }: LiveProblem): string | undefined {
  if (kind === "page" || kind === "post" || usedBy.length === 0) return undefined;
  const more = usedBy.length > NAMED ? ", …" : "";
  return `used by ${pluralize(usedBy.length, "page")}: ${usedBy.slice(0, NAMED).join(", ")}${more}`;
}

/** `2 addresses redirect: https://… → https://…, …`; `undefined` when none does. */
export function redirectsLine({ redirects }: Verified): string | undefined {
  const [first] = redirects;
  if (first === undefined) return undefined;
  const more = redirects.length > 1 ? ` and ${redirects.length - 1} more` : "";
  return `Redirected: ${first.address} → ${first.to}${more}.`;
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
