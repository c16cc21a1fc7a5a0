import * as z from "zod";
import { ACCOUNT_OPERATIONS } from "./operations/account.ts";
import { BLOG_OPERATIONS } from "./operations/blogs.ts";
import { CONTENT_OPERATIONS } from "./operations/content.ts";
import { PEOPLE_OPERATIONS } from "./operations/people.ts";
import { LIBRARY_OPERATIONS } from "./operations/library.ts";
import { RELEASE_OPERATIONS } from "./operations/releases.ts";
import { VISITOR_OPERATIONS } from "./operations/visitors.ts";
import type { Operation, Route, RouteSetName, Row } from "./route.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "./routes.ts";

/**
 * Every operation of the two route sets and of our extensions, with the same name in both sets. docs/service-api.md
 * defines the requests and responses that the specification leaves open.
 */
export const OPERATIONS = {
  ...CONTENT_OPERATIONS,
  ...LIBRARY_OPERATIONS,
  ...BLOG_OPERATIONS,
  ...VISITOR_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...RELEASE_OPERATIONS,
  ...PEOPLE_OPERATIONS,
} as const;

export type OperationName = keyof typeof OPERATIONS;

/** Returns the rows of one route set, each with its operation's request and responses. */
export function routesOf(routeSet: RouteSetName): readonly Route[] {
  return joinRows(routeSet === "a" ? ROUTES_A : ROUTES_B);
}

export function extensionRoutes(): readonly Route[] {
  return joinRows(EXTENSION_ROUTES);
}

function joinRows(rows: readonly (Row & { readonly operation: OperationName })[]): readonly Route[] {
  return rows.map((row) => ({ ...row, ...operationOf(row.operation) }));
}

const noQuery = z.strictObject({});

/** Returns an operation's request and responses. */
export function operationOf(name: OperationName): Operation {
  return { query: noQuery, problems: [], ...OPERATIONS[name] };
}
