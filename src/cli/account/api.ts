import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { lookup } from "mrmime";
import * as z from "zod";
import { ImprintError, messageOf } from "../../base/error.ts";
import { parseJson } from "../../base/json.ts";
import type { OperationRequest } from "../../client/api.ts";
import { OPERATIONS, type OperationName, extensionRoutes, routesOf } from "../../contract/operations.ts";
import type { Route, RouteSetName } from "../../contract/route.ts";
import { formatJson } from "../print.ts";
import { renderTable } from "../table.ts";
import type { AccountResult, AccountRun } from "./account-command.ts";

/** `imprint api`: validates the fields of any API operation, sends it and prints the response. */
export async function api({ args, flags, context, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [name] = args;
  if (name === undefined) return { json: listOperations(), text: renderOperations() };
  const operation = parseOperation(name);
  const fields = parseFields(flags.field ?? []);
  return withApi(async (client) => {
    const route = findRoute(client.capabilities.routeSet, operation);
    const request = await planRequest(route, fields, context.cwd);
    const { json, text } = await client.request(operation, { ...request, signal });
    const empty = flags.json === true ? formatJson(null) : text;
    return { document: json === undefined ? empty : formatJson(json) };
  });
}

export function renderOperations(): string {
  const rows = listOperations().map(({ operation, a = "", b = "" }) => [operation, a, b]);
  return renderTable([["Operation", "Route set A", "Route set B"], ...rows]);
}

function listOperations() {
  const [a, b] = [describeRoutes("a"), describeRoutes("b")];
  return Object.keys(OPERATIONS).map((operation) => ({ operation, a: a.get(operation), b: b.get(operation) }));
}

function describeRoutes(routeSet: RouteSetName): ReadonlyMap<string, string> {
  return new Map(routesIn(routeSet).map(({ operation, method, path }) => [operation, `${method} ${path}`]));
}

function routesIn(routeSet: RouteSetName): readonly Route[] {
  return [...routesOf(routeSet), ...extensionRoutes()];
}

function parseOperation(name: string): OperationName {
  const found = (Object.keys(OPERATIONS) as OperationName[]).find((each) => each === name);
  if (found === undefined) throw usage(`There is no operation "${name}".`, "List them with `imprint api`.");
  return found;
}

function findRoute(routeSet: RouteSetName, operation: OperationName): Route {
  const route = routesIn(routeSet).find((each) => each.operation === operation);
  if (route !== undefined) return route;
  throw new ImprintError("NOT_SUPPORTED", `Route set ${routeSet.toUpperCase()} has no ${operation}.`);
}

type Given = ReadonlyMap<string, readonly string[]>;

function parseFields(texts: readonly string[]): Given {
  const fields = texts.map((text) => {
    const [, name = "", value] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
    if (value === undefined)
      throw usage(`--field accepts name=value, not "${text}".`, "For example: --field slug=home.");
    return { name, value };
  });
  const groups = Map.groupBy(fields, ({ name }) => name);
  return new Map([...groups].map(([name, group]) => [name, group.map(({ value }) => value)]));
}

/** Splits the fields into path, query and body. Throws `USAGE` for what the service would reject. */
async function planRequest(route: Route, given: Given, cwd: string): Promise<OperationRequest> {
  const { body } = route;
  const pathNames = Array.from(route.path.matchAll(/:(\w+)/g), ([, name = ""]) => name);
  const bodyShape: Readonly<Record<string, unknown>> = body?.schema instanceof z.ZodObject ? body.schema.shape : {};
  const fileName = body !== undefined && "file" in body && !(body.file in bodyShape) ? body.file : undefined;
  const known = [...pathNames, ...Object.keys(route.query.shape), ...Object.keys(bodyShape), fileName ?? []].flat();
  const isOpen = body?.kind === "form";
  const unknown = [...given.keys()].find((name) => !known.includes(name) && !isOpen);
  if (unknown !== undefined) {
    const hint = known.length === 0 ? "It accepts no fields." : `Fields: ${known.join(", ")}.`;
    throw usage(`${route.operation} has no field "${unknown}".`, hint);
  }
  const parameters = pathNames.map((name) => given.get(name)?.[0] ?? missing(name, route));
  const inQuery = Object.keys(route.query.shape).filter((name) => given.has(name) && !pathNames.includes(name));
  const query = Object.fromEntries(inQuery.map((name) => [name, given.get(name)?.[0] ?? ""]));
  check(route.query, { value: query, route });
  if (body === undefined) return { parameters, query };
  const inBody = [...given].filter(
    ([name]) => !pathNames.includes(name) && name !== fileName && !inQuery.includes(name),
  );
  const values = inBody.map(async ([name, texts]): Promise<[string, unknown]> => {
    return [name, readValue(bodyShape[name], await Promise.all(texts.map((text) => readText(text, cwd))))];
  });
  const fields = Object.fromEntries(await Promise.all(values));
  check(body.schema, { value: fields, route });
  if (fileName === undefined) return { parameters, query, fields };
  const file = await readUpload(given.get(fileName)?.[0] ?? missing(fileName, route), cwd);
  return { parameters, query, fields, file };
}

function missing(name: string, { operation }: Route): never {
  throw usage(`${operation} needs the field "${name}".`, `Add --field ${name}=…`);
}

function check(schema: z.ZodType, { value, route }: { readonly value: unknown; readonly route: Route }): void {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const problems = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw usage(`Invalid fields for ${route.operation}: ${problems.join("; ")}.`, "List the routes with `imprint api`.");
}

// Text other than `null` stays text if the schema accepts it; otherwise it is parsed as JSON (a number, `true`, `null`,
// a list) or as an item of a list.
function readValue(schema: unknown, texts: readonly string[]): unknown {
  const [first = ""] = texts;
  if (!(schema instanceof z.ZodType)) return first;
  const nothing = first === "null" ? [null] : [];
  const parse = (text: string) => [parseJson(text)].filter((value) => value !== undefined);
  const readings = [...nothing, texts.length > 1 ? texts : first, ...parse(first), texts, texts.flatMap(parse)];
  const [fitting = first] = readings.filter((value) => schema.safeParse(value).success);
  return fitting;
}

async function readText(text: string, cwd: string): Promise<string> {
  return text.startsWith("@") ? Buffer.from(await readBytes(text.slice(1), cwd)).toString("utf8") : text;
}

async function readUpload(text: string, cwd: string): Promise<NonNullable<OperationRequest["file"]>> {
  const path = text.replace(/^@/, "");
  const contentType = lookup(path) ?? "application/octet-stream";
  return { name: basename(path), contentType, bytes: await readBytes(path, cwd) };
}

async function readBytes(path: string, cwd: string): Promise<Uint8Array> {
  return readFile(resolve(cwd, path)).catch((error: unknown) => {
    throw usage(`${path} can't be read: ${messageOf(error)}`, "Name a file after the @.");
  });
}

function usage(message: string, hint: string): ImprintError {
  return new ImprintError("USAGE", message, { hint });
}
