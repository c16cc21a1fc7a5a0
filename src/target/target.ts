import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ImprintError } from "../base/error.ts";
import { serviceAddress, withScheme } from "../base/service-address.ts";
import { sendPlainly } from "../client/transport/plain.ts";
import type { ProjectFiles } from "../contract/project-files.ts";
import type { RouteSetName } from "../contract/route.ts";
import { findAnnouncedService, type RunningServiceFile } from "../disk/running-service.ts";
import { embeddedOptions, type EmbeddedOptions, type Options } from "../options/schema.ts";
import type { PublishedAt } from "../sync/desired/page-addresses.ts";
import { findLogin } from "./login.ts";
import { findService, loadService } from "./service-package.ts";

/** The service that a run publishes to, and its credentials. */
export interface Target extends PublishedAt {
  /** Address of the service before `/api`, without a trailing slash. */
  readonly baseUrl: string;
  /** The key, or the first token of the login. */
  readonly apiKey: string;
  /** Returns a token with some validity left; only for a login. */
  readonly accessToken?: () => Promise<string>;
  readonly routeSet: "auto" | RouteSetName;
  /** Name that is the same in every run, even if the port isn't. */
  readonly identity: string;
  /** Set for the embedded service of the project. */
  readonly isEmbedded?: true;
  /** The command that serves what was published, if no service runs after the run. */
  readonly seeWith?: string;
  close(): Promise<void>;
}

/** imprint's environment variables. */
export interface Environment {
  readonly IMPRINT_API_KEY?: string | undefined;
  readonly IMPRINT_SERVICE?: string | undefined;
  /** Name of the preview to publish; empty for none. */
  readonly IMPRINT_PREVIEW?: string | undefined;
  /** The branch of the build, if it can't be detected. */
  readonly IMPRINT_BRANCH?: string | undefined;
  /** Whether this runs in CI, where the embedded service is only used if it is configured. */
  readonly isCi?: boolean;
  /** The file with the logins of `imprint login`; absent if there are none. */
  readonly loginFile?: string | undefined;
}

export interface TargetContext {
  readonly projectRoot: string;
  readonly environment: Environment;
  /** Set if people use the dashboard of the embedded service: the project's files that it shows. */
  readonly dashboard?: { readonly projectFiles: ProjectFiles | undefined };
}

/**
 * Finds the service of a run. For the embedded one, that is the service running on the project's data folder, such as
 * that of `imprint serve`, else one that is started for the run.
 *
 * @throws ImprintError `OPTIONS_INVALID` if no service is configured, `KEY_MISSING` if a hosted one has neither key nor
 * login, `LOGIN_EXPIRED` if the login can't be renewed, `SERVICE_MISSING` if the package of the embedded one is missing
 */
export async function openTarget(options: Options, context: TargetContext): Promise<Target> {
  const service = chooseService(options, context.environment);
  if (typeof service === "object") return openEmbedded(options, { ...context, embedded: service });
  return {
    baseUrl: service,
    ...(await findCredential(context.environment, service)),
    routeSet: options.routeSet,
    identity: service,
    pagesUrl: options.pagesUrl,
    close: async () => {},
  };
}

/**
 * Checks what can be checked before a long build: that a service is configured, and that there is a key or a login, or
 * the package of the embedded service.
 */
export async function checkTarget(options: Options, { projectRoot, environment }: TargetContext): Promise<void> {
  const service = chooseService(options, environment);
  await (typeof service === "string" ? findCredential(environment, service) : findService(projectRoot));
}

/** Returns the address of the hosted service. Throws `OPTIONS_INVALID`, and `USAGE` for the embedded one. */
export function hostedService(options: Options, environment: Environment): string {
  const service = chooseService(options, environment);
  if (typeof service === "string") return service;
  throw new ImprintError("USAGE", "The embedded service belongs to this project and needs no login.", {
    hint: "Name another service with --service <address>.",
  });
}

/** Returns the settings of a project's embedded service; `undefined` if it publishes to a hosted one. */
export function findEmbedded(options: Options, environment: Environment): EmbeddedOptions | undefined {
  const service = chooseService(options, environment);
  return typeof service === "string" ? undefined : service;
}

/** Returns the name of a project's target, the same in every run; `undefined` if no service is configured. */
export function findIdentity(options: Options, { projectRoot, environment }: TargetContext): string | undefined {
  if (namedService(options, environment) === undefined) return undefined;
  const service = chooseService(options, environment);
  return typeof service === "string" ? service : placeEmbedded(options, { projectRoot, embedded: service }).identity;
}

/** Whether there is a key or a login; doesn't check whether they are still valid. */
export async function hasCredential(environment: Environment, service: string): Promise<boolean> {
  return (environment.IMPRINT_API_KEY ?? "").trim() !== "" || (await openLogin(environment, service)) !== undefined;
}

/** Note for projects without a configured service, which publish to the embedded one. */
export const DEFAULT_SERVICE_NOTE =
  "No service is configured, so this publishes to the embedded service on this machine. Set `service` to choose one.";

/**
 * Adds the embedded service to the options if none is configured. Not in CI, which keeps no data, so a service has to
 * be configured there.
 */
export function withDefaultService(options: Options, environment: Environment): Options {
  const isNamed = options.service !== undefined || (environment.IMPRINT_SERVICE ?? "") !== "";
  return isNamed || environment.isCi === true ? options : { ...options, service: "embedded" };
}

const EMBEDDED = embeddedOptions.parse({}, { jitless: true });

/**
 * Returns the configured service. IMPRINT_SERVICE replaces the embedded service, as in CI, where that would be gone
 * with the job.
 */
export function namedService({ service }: Options, { IMPRINT_SERVICE = "" }: Environment): Options["service"] {
  return (service === undefined || service === "embedded") && IMPRINT_SERVICE !== "" ? IMPRINT_SERVICE : service;
}

function chooseService(options: Options, environment: Environment): string | EmbeddedOptions {
  const service = namedService(options, environment);
  if (service === undefined) {
    throw new ImprintError("OPTIONS_INVALID", "No service is configured.", {
      hint: 'Set the `service` option, or IMPRINT_SERVICE in the environment, to the address of your service, or to "embedded" to run it on this machine.',
    });
  }
  if (service === "embedded") return EMBEDDED;
  if (typeof service !== "string") return service;
  if (!/^https?:\/\//i.test(service)) {
    const whole = withScheme(service);
    // Otherwise the value isn't shown, as it may be a misplaced key.
    const example = whole === undefined ? "" : `: "${whole}"`;
    const message = `IMPRINT_SERVICE must be "embedded", or an address that starts with http:// or https://${example}.`;
    throw new ImprintError("OPTIONS_INVALID", message);
  }
  return serviceAddress(service);
}

async function findCredential(
  environment: Environment,
  service: string,
): Promise<Pick<Target, "apiKey" | "accessToken">> {
  const key = environment.IMPRINT_API_KEY?.trim();
  if (key !== undefined && key !== "") return { apiKey: key };
  const accessToken = await openLogin(environment, service);
  if (accessToken !== undefined) return { apiKey: await accessToken(), accessToken };
  throw new ImprintError("KEY_MISSING", `IMPRINT_API_KEY is not set, and you are not logged in to ${service}.`, {
    hint: `Set IMPRINT_API_KEY in the environment or in a \`.env\` file that is not committed, or run \`imprint login --service ${service}\`.`,
  });
}

async function openLogin({ loginFile }: Environment, service: string): Promise<Target["accessToken"]> {
  if (loginFile === undefined || !existsSync(loginFile)) return undefined;
  return await findLogin(service, loginFile);
}

async function openEmbedded(
  options: Options,
  { projectRoot, dashboard, embedded }: TargetContext & { readonly embedded: EmbeddedOptions },
): Promise<Target> {
  const { dataDir, routeSet, identity } = placeEmbedded(options, { projectRoot, embedded });
  const running = await findRunningService(dataDir, routeSet);
  const target =
    running === undefined
      ? await startEmbedded(options, { projectRoot, dashboard, embedded, dataDir, routeSet })
      : openRunning(running, { options, routeSet });
  return { ...target, identity, isEmbedded: true };
}

function placeEmbedded(
  { routeSet: wanted }: Options,
  { projectRoot, embedded }: Pick<StartContext, "projectRoot" | "embedded">,
) {
  const dataDir = resolve(projectRoot, embedded.dataDir);
  const routeSet = wanted === "auto" ? "a" : wanted;
  return { dataDir, routeSet, identity: `embedded:${dataDir}:${routeSet}` } as const;
}

/** Returns the target for a service that already runs on the same data, such as `imprint serve`. */
function openRunning(
  { url, pagesUrl, reachablePagesUrl, apiKey }: RunningServiceFile,
  { options, routeSet }: { readonly options: Options; readonly routeSet: RouteSetName },
): Omit<Target, "identity"> {
  return {
    baseUrl: `${url}/${routeSet}`,
    apiKey,
    routeSet,
    pagesUrl: options.pagesUrl ?? pagesUrl,
    files: { written: options.pagesUrl ?? WRITTEN_URL, answered: pagesUrl, reachable: reachablePagesUrl },
    close: async () => {},
  };
}

// Pages and files always contain this address: the service replaces it with its current one when it serves them, so
// that no page has to be sent again because a port changed.
const WRITTEN_URL = `http://127.0.0.1:${EMBEDDED.pagesPort}`;

interface StartContext extends Pick<TargetContext, "projectRoot" | "dashboard"> {
  readonly embedded: EmbeddedOptions;
  readonly dataDir: string;
  readonly routeSet: RouteSetName;
}

// The service runs in this process during the run. If another program uses its ports, it listens on others: the data,
// the addresses of pages and links to the dashboard stay the same. Only a dashboard that people use during the run has
// the address that the service listens on.
async function startEmbedded(
  options: Options,
  { projectRoot, dashboard, embedded, dataDir, routeSet }: StartContext,
): Promise<Omit<Target, "identity">> {
  const { startService } = await loadService(projectRoot);
  const { port, pagesPort } = embedded;
  const pagesUrl = options.pagesUrl ?? `http://127.0.0.1:${pagesPort || EMBEDDED.pagesPort}`;
  const start = { dataDir, routeSet, pagesUrl, projectFiles: dashboard?.projectFiles };
  const service = await startService({ ...start, port, pagesPort }).catch((error: unknown) => {
    if (!(error instanceof ImprintError) || error.code !== "PORT_TAKEN") throw error;
    const appUrl = dashboard === undefined ? `http://localhost:${port || EMBEDDED.port}` : undefined;
    return startService({ ...start, port: 0, pagesPort: 0, appUrl });
  });
  return {
    // Not `service.baseUrl`: another process may listen on that address, and it doesn't know the key of this run.
    baseUrl: `http://localhost:${service.port}/${routeSet}`,
    apiKey: service.apiKey,
    routeSet,
    pagesUrl: service.pagesUrl,
    files: {
      written: options.pagesUrl ?? WRITTEN_URL,
      answered: service.pagesUrl,
      reachable: `http://127.0.0.1:${service.pagesPort}`,
    },
    ...(options.pagesUrl === undefined && { seeWith: serveCommand(embedded) }),
    close: () => service.close(),
  };
}

function serveCommand({ port, pagesPort, dataDir }: EmbeddedOptions): string {
  const flags = [
    ...(dataDir === EMBEDDED.dataDir ? [] : [`--data ${/\s/.test(dataDir) ? JSON.stringify(dataDir) : dataDir}`]),
    ...(port === 0 || port === EMBEDDED.port ? [] : [`--port ${port}`]),
    ...(pagesPort === 0 || pagesPort === EMBEDDED.pagesPort ? [] : [`--pages-port ${pagesPort}`]),
  ];
  return ["npx imprint serve", ...flags].join(" ");
}

const ANSWER_WITHIN_MS = 3000;

/** Finds the service announced in the data folder, after it has accepted the key that only it knows. */
async function findRunningService(dataDir: string, routeSet: RouteSetName): Promise<RunningServiceFile | undefined> {
  const running = await findAnnouncedService(dataDir);
  if (running === undefined) return undefined;
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const read = (path: string, headers: Readonly<Record<string, string>>) =>
      sendPlainly(`${running.url}${path}`, { headers, redirect: "error", signal });
    const health = await read("/healthz", {});
    if (health.status !== 200 || !health.headers.has("imprint-route-set")) return undefined;
    const pages = await read(`/${routeSet}/api/pages?limit=1`, { authorization: `Bearer ${running.apiKey}` });
    return pages.status === 200 ? running : undefined;
  } catch {
    // Nothing listens there, or something that isn't the service.
    return undefined;
  }
}
