import { describePathParameter } from "../path-parameters.ts";
import type { Route } from "../route.ts";
import { schemaOf, type Json } from "./schemas.ts";

/** Describes the parameters of a route: in its path, its query, and its headers. */
export function describeParameters(route: Route): readonly Json[] {
  return [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
}

function pathParameters({ operation, path }: Route): readonly Json[] {
  return Array.from(path.matchAll(/:([A-Za-z]+)/g), ([, name = ""]) => {
    const { description, example, pattern } = describePathParameter(operation, name);
    const schema = { type: "string", ...(pattern !== undefined && { pattern }) };
    return { name, in: "path", required: true, description, schema, example };
  });
}

function queryParameters({ query }: Route): readonly Json[] {
  return Object.entries(query.shape).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field, "input");
    return { name, in: "query", required: false, description, schema };
  });
}

const TEXT = { type: "string" } as const;

const HEADERS = {
  idempotencyKey: {
    name: "Idempotency-Key",
    description:
      "Any unique text for this request. Repeating the request with it within 24 hours returns the first response again.",
    schema: { ...TEXT, pattern: "^[\\x21-\\x7e]{1,255}$" },
    example: "2f1c9a40-5f0e-4f6c-9a53-0a8b6d5a3a10",
  },
  ifNoneMatch: {
    name: "If-None-Match",
    description: "`ETag` of the response that you have. Responds with 304 while it is the same.",
    schema: TEXT,
    example: '"v3"',
  },
  ifAbsent: {
    name: "If-None-Match",
    description: "`*` to only create: responds with 412 if the record exists.",
    schema: { ...TEXT, enum: ["*"] },
    example: "*",
  },
  ifMatch: {
    name: "If-Match",
    description: "Version that the record must have, as a quoted tag. Responds with 412 otherwise.",
    schema: TEXT,
    example: '"v3"',
  },
  ifParent: {
    name: "If-Match",
    description: "ID of the release that must be live, quoted. Responds with 409 otherwise.",
    schema: TEXT,
    example: '"rel_3vQq0VYhYtYH4pJ9wQ2m1A"',
  },
} as const;

function headerParameters({ operation, method, problems, etag, scope }: Route): readonly Json[] {
  const read = [
    ...(method === "POST" && scope !== undefined ? [HEADERS.idempotencyKey] : []),
    ...(etag === true ? [HEADERS.ifNoneMatch] : []),
    ...(problems.includes("already_exists") ? [HEADERS.ifAbsent] : []),
    ...(problems.includes("version_mismatch")
      ? [operation === "releases.publish" ? HEADERS.ifParent : HEADERS.ifMatch]
      : []),
  ];
  return read.map(({ name, ...rest }) => ({ name, in: "header", required: false, ...rest }));
}

/** Moves parameters that several routes share to named components, and replaces them with references. */
export function shareParameters(lists: readonly (readonly Json[])[]) {
  const counts = new Map<string, number>();
  const textOf = (parameter: Json) => JSON.stringify(parameter);
  for (const text of lists.flat().map(textOf)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const components: Record<string, Json> = {};
  const names = new Map<string, string>();
  for (const parameter of lists.flat()) {
    const text = textOf(parameter);
    const name = componentName(parameter);
    if ((counts.get(text) ?? 0) < 2 || names.has(text) || name in components) continue;
    names.set(text, name);
    components[name] = parameter;
  }
  const shared = (parameter: Json): Json => {
    const name = names.get(textOf(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return { components, lists: lists.map((list) => list.map(shared)) };
}

/** `limit` of a query → `LimitQuery`. */
function componentName({ name, in: place }: Json): string {
  const words = [...String(name).split("-"), String(place)];
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
