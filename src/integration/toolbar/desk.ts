import { stat } from "node:fs/promises";
import { relative } from "node:path";
import fastGlob from "fast-glob";
import { ImprintError, messageOf } from "../../base/error.ts";
import { formatMinute } from "../../base/time.ts";
import type { ImprintApi } from "../../client/api.ts";
import { connect } from "../../client/connect.ts";
import { normalizeRoute } from "../../contract/slug.ts";
import type { Options } from "../../options/schema.ts";
import { openProjectFiles } from "../../posts/edit/project-files.ts";
import { withFoundFolder } from "../../posts/read/collection-folder.ts";
import { holdingOf, parsePosts } from "../../posts/read/parse-posts.ts";
import { createPageAddresses, reachableFile } from "../../sync/desired/page-addresses.ts";
import { findLockedTarget, lockedServiceOf, type LockedTarget } from "../../sync/lock.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { readEnvironment } from "../../target/environment.ts";
import { openTarget, withDefaultService, type Target } from "../../target/target.ts";
import { createWorks } from "./build-work.ts";
import { viewPlan, type PlannedAt } from "./plan-view.ts";
import { readMessages, readNumbers } from "./visitors.ts";
import type { Ask, BrandView, HeldView, PageState, Part, Problem, WorkView } from "./messages.ts";

export type Desk = Awaited<ReturnType<typeof openDesk>>;

interface DeskPlace {
  readonly projectRoot: string;
  readonly base: string;
  readonly options: Options;
  /** Folders of the site's sources. */
  readonly folders: readonly string[];
}

/** Handles the toolbar's requests in the dev server. */
export async function openDesk(place: DeskPlace) {
  const { projectRoot, base } = place;
  const works = createWorks(projectRoot);
  const service = createConnection(place);
  let planned: PlannedAt | undefined;

  async function readState(route: string): Promise<PageState> {
    const newest = (since: number) => findNewer(place, since);
    const plan = planned?.route === route ? viewPlan(planned, (await newest(planned.at)).count > 0) : undefined;
    const shared = { route, held: await partOf(() => readHeld(place)), ...(plan && { plan }) };
    try {
      const connection = await service.open();
      const { api, target } = connection;
      const lock = await createStateFiles(projectRoot, target.identity).readLock();
      const name = { service: lockedServiceOf(target), account: api.capabilities.account?.id };
      const locked = findLockedTarget(lock, name);
      const page = await findPage(lock.slugs[route], connection, locked);
      const slug = page?.slug;
      const asked = { api, slug };
      return {
        ...shared,
        service: target.isEmbedded === true ? "the embedded service" : target.baseUrl,
        published: page && { at: page.at?.toISOString(), address: page.address },
        newer: page?.at === undefined ? NONE_NEWER : await newest(page.at.getTime()),
        numbers: await partOf(() => readNumbers(asked)),
        messages: await partOf(() => readMessages(asked)),
        brand: await partOf(() => readBrand(api, locked?.brandKit?.id)),
      };
    } catch (error) {
      service.forget();
      const unknown = { kind: "unknown", why: "" } as const;
      const empty = { published: undefined, newer: NONE_NEWER, numbers: unknown, messages: unknown, brand: unknown };
      return { ...shared, ...empty, service: "", problem: problemOf(error) };
    }
  }

  async function build(kind: Ask["kind"], route: string): Promise<void> {
    const at = Date.now();
    const preview =
      kind === "preview"
        ? { IMPRINT_PREVIEW: (await readEnvironment(projectRoot, process.env)).IMPRINT_PREVIEW || "dev" }
        : {};
    const isPageOnly = kind === "publish-page";
    const done = works.build(kind, { kind: kind === "plan" ? "plan" : "publish", route, isPageOnly }, preview);
    void done.then(({ findings }) => {
      if (findings !== undefined && kind !== "preview") planned = { ...findings, route, at };
    });
  }

  async function start(kind: Ask["kind"], route: string): Promise<void> {
    if (works.isAtWork())
      throw new ImprintError("RUN_LOCKED", "The toolbar is already busy.", { hint: "Wait until it has finished." });
    if (kind === "login") return void works.login().then(() => service.forget());
    if (place.options.publish === false) {
      throw new ImprintError("OPTIONS_INVALID", "`publish` is false, so builds of this project don't publish.", {
        hint: "Build the site, then run `imprint plan` or `imprint publish`.",
      });
    }
    // The build publishes to the service that this server has open.
    await service.open();
    await build(kind, route);
  }

  // A build reports the address of pages for readers; here the embedded service may listen on another one.
  async function shownWork(work: WorkView | undefined): Promise<WorkView | undefined> {
    if (work?.kind !== "preview" || work.open === undefined) return work;
    return { ...work, open: reachableFile(work.open, (await service.open()).target) };
  }

  return {
    async answer({ kind, path, seen = 0 }: Ask): Promise<object> {
      const route = routeOf(path, base);
      if (kind === "state") return { state: await readState(route), work: await shownWork(works.view()) };
      if (kind === "follow") return { work: await shownWork(await works.follow(seen)) };
      if (kind === "dashboard") return { open: await service.dashboard() };
      await start(kind, route);
      return { work: works.view() };
    },
    async close(): Promise<void> {
      works.close();
      await service.close();
    },
  };
}

interface Connection {
  readonly target: Target;
  readonly api: ImprintApi;
  readonly options: Options;
}

/** Connects to the service on the first request, and keeps it open until the server stops. */
function createConnection({ projectRoot, options: written }: DeskPlace) {
  let opened: Promise<Connection> | undefined;

  async function connectNow(): Promise<Connection> {
    const environment = await readEnvironment(projectRoot, process.env);
    const options = withDefaultService(withFoundFolder(written, projectRoot), environment);
    const { posts } = options;
    const projectFiles = posts === false ? undefined : await openProjectFiles({ root: projectRoot, ...posts });
    const target = await openTarget(options, { projectRoot, environment, dashboard: { projectFiles } });
    try {
      return { target, options, api: await connect({ ...target }) };
    } catch (error) {
      await target.close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const closing = opened;
    opened = undefined;
    const connection = await closing?.catch(() => undefined);
    await connection?.api.close();
    await connection?.target.close();
  }

  return {
    open: () => (opened ??= connectNow()),
    forget: () => void close(),
    close,
    async dashboard(): Promise<string> {
      const { api, target } = await (opened ??= connectNow());
      if (!api.capabilities.operations.has("signInLinks.create")) {
        throw new ImprintError("NOT_SUPPORTED", "The dashboard of this service can't be opened from here.");
      }
      try {
        return (await api.createSignInLink()).url;
      } catch (error) {
        // A login may have fewer permissions than the dashboard, so the person signs in there.
        if (error instanceof ImprintError && error.code === "LOGIN_LIMITED") return new URL("/", target.baseUrl).href;
        throw error;
      }
    },
  };
}

/** Finds the page on the service, if this project published it there. */
async function findPage(
  slug: string | undefined,
  { target, api, options }: Connection,
  locked: LockedTarget | undefined,
) {
  if (slug === undefined || locked?.pages[slug] === undefined) return undefined;
  const page =
    api.capabilities.routeSet === "a"
      ? await api.pages.get(slug)
      : (await api.pages.list()).items.find((each) => each.slug === slug);
  if (page === undefined) return undefined;
  const shown = createPageAddresses({ options, target, capabilities: api.capabilities }).shown(slug);
  return { slug, at: page.updatedAt, address: shown && reachableFile(shown, target) };
}

const NONE_NEWER = { files: [], count: 0 } as const;
const FILES_SHOWN = 5;

/** Finds source files that were written after a time. */
async function findNewer({ projectRoot, folders }: DeskPlace, since: number): Promise<PageState["newer"]> {
  const found = await Promise.all(
    folders.map((cwd) => fastGlob.glob("**", { cwd, absolute: true, ignore: ["**/node_modules/**"] })),
  );
  const files = await Promise.all(
    found.flat().map(async (file) => ({ file, at: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const newer = files.filter(({ at }) => at > since).toSorted((one, other) => other.at - one.at);
  return { files: newer.slice(0, FILES_SHOWN).map(({ file }) => relative(projectRoot, file)), count: newer.length };
}

async function readHeld({ projectRoot: root, options }: DeskPlace): Promise<readonly HeldView[]> {
  if (options.posts === false) return [];
  const { parsed, problems } = await parsePosts({ ...options.posts, root });
  const now = new Date();
  const held = parsed.flatMap((post) => holdingOf(post, now));
  return [
    ...held.map(({ file, title = file, reason, publishedAt, doubts: [doubt] = [] }) => ({
      file,
      title,
      line: doubt?.line,
      reason:
        doubt?.message ??
        (reason === "scheduled" && publishedAt !== undefined ? `scheduled for ${formatMinute(publishedAt)}` : reason),
    })),
    ...problems.map(({ file, line, message }) => ({ file, title: file, line, reason: message })),
  ];
}

async function readBrand(api: ImprintApi, id: string | undefined): Promise<BrandView> {
  const kit = (await api.brandKits.list()).items.find((each) => each.id === id);
  if (kit === undefined) throw new ImprintError("USAGE", "No brand kit is published.");
  return {
    colors: (kit.colors ?? []).map(({ name, hex }) => ({ name: name ?? "", hex })),
    fonts: (kit.fonts ?? []).map(({ family }) => family),
  };
}

/** Converts a path of the dev server to a route. */
function routeOf(path: string, base: string): string {
  const whole = normalizeRoute(decoded(path).replace(/(?:\/index)?\.html$/, ""));
  const prefix = normalizeRoute(base);
  return prefix !== "/" && whole.startsWith(prefix) ? normalizeRoute(whole.slice(prefix.length)) : whole;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

async function partOf<Value>(read: () => Promise<Value>): Promise<Part<Value>> {
  try {
    return { kind: "known", value: await read() };
  } catch (error) {
    return { kind: "unknown", why: messageOf(error) };
  }
}

const LOGIN_HELPS: readonly string[] = ["KEY_MISSING", "KEY_REJECTED", "LOGIN_EXPIRED"];

export function problemOf(error: unknown): Problem {
  if (!(error instanceof ImprintError)) return { message: messageOf(error) };
  const { code, message, hint } = error;
  return { message, hint, needsLogin: LOGIN_HELPS.includes(code) };
}
