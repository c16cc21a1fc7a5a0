import { expect, onTestFinished } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import {
  createService,
  startService,
  type RunningService,
  type Service,
  type ServiceOptions,
  type StartOptions,
} from "../../src/service.ts";
import { findUndocumented } from "./documented.ts";
import { recordRoutes } from "./record-routes.ts";

/** Starts a service on free ports that is discarded when the test ends. */
export async function openRunningService(options: StartOptions = {}): Promise<RunningService> {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, ...options });
  if (options.strict === true || options.quirks !== undefined) unlike.add(service);
  onTestFinished(async () => {
    if (options.dev !== false) recordRoutes(service);
    await service.close();
  });
  return service;
}

/** Creates a service without ports. */
export function openService(options: ServiceOptions = {}): Service {
  const service = createService({ ephemeral: true, dev: true, ...options });
  if (options.strict === true || options.quirks !== undefined) unlike.add(service);
  onTestFinished(async () => {
    if (options.dev !== false) recordRoutes(service);
    await service.close();
  });
  return service;
}

// Services whose responses differ from the OpenAPI document: in strict mode, with quirks, or with faults.
const unlike = new WeakSet<Service>();

export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The fields of a JSON object; empty if the body is something else. */
  readonly body: Fields;
  /** The items of a list, or of the data of an upload. */
  readonly items: readonly Fields[];
}

export interface SendOptions {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly body?: RequestInit["body"];
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` sends no key. */
  readonly apiKey?: string | null;
}

export type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>;

export interface ClientOptions {
  readonly routeSet: RouteSetName;
  readonly transport?: "in process" | "over HTTP";
  /** Whether to compare each response with the OpenAPI document. Default: `compared`. */
  readonly document?: "compared" | "ignored";
}

/** Returns a function that sends requests to a route set of a service and parses the JSON responses. */
export function clientOf(
  service: Service,
  { routeSet, transport = "in process", document = "compared" }: ClientOptions,
): Send {
  return async (method, path, { json, form, body, headers = {}, apiKey = service.apiKey } = {}) => {
    const request = new Request(`${service.baseUrl(routeSet)}${path}`, {
      method,
      redirect: "manual",
      body: json === undefined ? (form ?? body ?? null) : JSON.stringify(json),
      headers: {
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
    });
    const response = transport === "in process" ? await service.fetch(request) : await fetch(request);
    const text = await response.text();
    if (path.startsWith("/api/_")) unlike.add(service);
    const { status } = response;
    const { pathname, search } = new URL(request.url);
    const asked = `${pathname.slice(new URL(service.baseUrl(routeSet)).pathname.replace(/\/$/, "").length)}${search}`;
    const received = { routeSet, method, path: asked, status, headers: response.headers, text };
    if (document === "compared" && !unlike.has(service)) expect(findUndocumented(received)).toBeUndefined();
    const parsed = parseFields(text, response.headers.get("Content-Type"));
    const { data } = parsed;
    return {
      status,
      headers: response.headers,
      text,
      body: parsed,
      items: Array.isArray(data) ? data.filter(isFields) : [],
    };
  };
}

/** Reads a published page or file. */
export async function visit(service: Service, path: string, init: RequestInit = {}): Promise<Response> {
  return await service.fetch(new Request(`${service.pagesUrl}${path}`, { redirect: "manual", ...init }));
}

export function pageForm(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === "html") form.append(name, new File([value], "page.html", { type: "text/html" }));
    else form.append(name, value);
  }
  return form;
}

export function fileForm(
  ...files: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer> | string])[]
): FormData {
  const form = new FormData();
  for (const [name, content] of files) form.append("file", new File([content], name));
  return form;
}

function parseFields(text: string, contentType: string | null): Fields {
  const parsed: unknown = contentType?.includes("json") === true && text !== "" ? JSON.parse(text) : undefined;
  return isFields(parsed) ? parsed : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
