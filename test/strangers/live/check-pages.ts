import type { Stranger } from "../host.ts";
import type { PageRecord } from "../host/world.ts";
import type { BuiltLink, BuiltPage } from "./built-site.ts";
import type { PageFacts } from "./document.ts";
import { namesOfRoute, namesOfText, type Difference, type DifferenceKind } from "./difference.ts";
import { findFault, loadedBy, resolve, type Visitor } from "./visitor.ts";

interface LivePage {
  readonly record: PageRecord;
  readonly url: string;
  readonly status: number;
  readonly facts: PageFacts;
}

export interface PagesToCheck {
  readonly stranger: Stranger;
  readonly visitor: Visitor;
  readonly built: readonly BuiltPage[];
  /** This project's pages on the host. */
  readonly records: readonly PageRecord[];
}

/** Compares every page of the build with what visitors get. */
export async function checkPages({ stranger, visitor, built, records }: PagesToCheck): Promise<readonly Difference[]> {
  const live = await Promise.all(
    records.map(async (record): Promise<LivePage> => {
      const url = stranger.publicUrl(record.slug);
      const { status, facts } = await visitor.openPage(url);
      return { record, url, status, facts };
    }),
  );
  const used = new Set<LivePage>();
  const differences: Difference[] = [];
  for (const page of built) {
    const shown = findLive(live, page);
    if (shown === undefined) {
      differences.push(about("page-missing", page.route, "is not live"));
      continue;
    }
    used.add(shown);
    differences.push(...(await comparePage({ visitor, built, page, shown })));
  }
  // A renamed page leaves a redirect at its old address.
  const addresses = new Set([...used].map(({ url }) => url));
  const leads = ({ url, facts }: LivePage) => facts.leadsTo !== undefined && addresses.has(resolve(facts.leadsTo, url));
  const isShown = ({ record }: LivePage) => record.trashed === undefined;
  const extra = live.filter((page) => isShown(page) && !used.has(page) && !leads(page));
  return [...differences, ...extra.map(({ record }) => extraPage(record))];
}

// Of two similar pages, the newer one is meant: the other was left by a rename.
function findLive(live: readonly LivePage[], { facts }: BuiltPage): LivePage | undefined {
  const titled = live.filter(
    (page) => page.status === 200 && page.facts.title === facts.title && page.facts.leadsTo === undefined,
  );
  return titled.toSorted((one, other) => (one.record.createdAt < other.record.createdAt ? 1 : -1))[0];
}

function extraPage({ slug, title }: PageRecord): Difference {
  const names = [...namesOfText(slug), ...namesOfRoute(slug)];
  return { kind: "page-extra", about: slug, what: `${slug} ("${title}") is live and not in the build`, names };
}

interface Comparison {
  readonly visitor: Visitor;
  readonly built: readonly BuiltPage[];
  readonly page: BuiltPage;
  readonly shown: LivePage;
}

async function comparePage({ visitor, built, page, shown }: Comparison): Promise<readonly Difference[]> {
  const { route, facts } = page;
  const differences: Difference[] = [];
  if (withoutSpace(facts.text) !== withoutSpace(shown.facts.text)) {
    differences.push(
      about("page-differs", route, `shows another text: ${firstDifference(facts.text, shown.facts.text)}`),
    );
  }
  if (facts.fields.join() !== shown.facts.fields.join())
    differences.push(about("form", route, "has other form fields"));
  if (page.links.length !== shown.facts.links.length) {
    differences.push(about("link", route, `has ${shown.facts.links.length} links instead of ${page.links.length}`));
  } else {
    const followed = page.links.map((link, index) => followLink({ visitor, built, page, shown }, link, index));
    differences.push(...(await Promise.all(followed)).flat());
  }
  return [...differences, ...(await compareFiles({ visitor, built, page, shown }))];
}

async function followLink(
  { visitor, built, page, shown }: Comparison,
  { href, route, fragment }: BuiltLink,
  index: number,
): Promise<readonly Difference[]> {
  const given = shown.facts.links[index] ?? "";
  if (route === undefined) return given === href ? [] : [about("link", page.route, `${href} became ${given}`)];
  const url = resolve(given, shown.facts.base === undefined ? shown.url : resolve(shown.facts.base, shown.url));
  const broken = (why: string): readonly Difference[] => [
    {
      ...{ kind: "link", about: route },
      what: `${page.route}: the link to ${href} became ${given} and ${why}`,
      names: [...namesOfRoute(route), ...namesOfRoute(page.route)],
    },
  ];
  if (!/^https?:/.test(url)) return broken("is no address");
  const target = await visitor.openPage(url);
  const wanted = built.find((page) => page.route === route);
  if (target.status !== 200) return broken(`answers ${target.status}`);
  if (target.facts.title !== wanted?.facts.title) return broken(`shows "${target.facts.title}"`);
  if (new URL(url).hash !== fragment) return broken("lost its fragment");
  const id = decodeURIComponent(fragment.slice(1));
  return id === "" || target.facts.ids.has(id) ? [] : broken(`has no #${id} there`);
}

async function compareFiles({ visitor, page, shown }: Comparison): Promise<readonly Difference[]> {
  const { facts, route } = page;
  const live = shown.facts;
  const loaded = await loadedBy(visitor, live, shown.url);
  const differences: Difference[] = [];
  for (const file of loaded) {
    const fault = await findFault(visitor, file);
    if (fault !== undefined) differences.push(about(file.wanted === "script" ? "script" : "file", route, fault));
  }
  const count = (wanted: string) => loaded.filter((file) => file.wanted === wanted).length;
  const cssImages = count("image") - live.images.length - live.sourceSets.length - live.icons.length;
  const rows = [
    ["images", facts.images.length, live.images.length],
    ["addresses in srcset", facts.sourceSets.length, live.sourceSets.length],
    ["icons", facts.icons.length, live.icons.length],
    ["fonts", page.fonts, count("font")],
    ["images in style sheets", page.cssImages, cssImages],
  ] as const;
  for (const [name, wanted, have] of rows) {
    if (have < wanted) differences.push(about("file", route, `has ${have} ${name} instead of ${wanted}`));
  }
  const scripts = live.scripts.length + live.inlineScripts;
  const wanted = facts.scripts.length + facts.inlineScripts;
  if (scripts < wanted) differences.push(about("script", route, `has ${scripts} scripts instead of ${wanted}`));
  return differences;
}

function about(kind: DifferenceKind, route: string, what: string): Difference {
  return { kind, about: route, what: `${route} ${what}`, names: namesOfRoute(route) };
}

// White space that a parser adds between elements isn't a visible difference.
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

function firstDifference(wanted: string, have: string): string {
  const words = have.split(" ");
  const index = wanted.split(" ").findIndex((word, index) => word !== words[index]);
  return `"${words.slice(index, index + 4).join(" ")}" instead of "${wanted
    .split(" ")
    .slice(index, index + 4)
    .join(" ")}"`;
}
