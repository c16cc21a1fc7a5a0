import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { renderOpenApi } from "../../src/contract/openapi/document.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import { createKnownRoutes } from "../../src/service/api/routes.ts";

type Json = Readonly<Record<string, unknown>>;

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Json>> }>
  >;
}

/** A response of the service as received by a client. */
export interface Received {
  readonly routeSet: RouteSetName;
  readonly method: string;
  /** Relative to the base address of the route set, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const routes = createKnownRoutes("a", { strict: false });
const documents = { a: readDocument("a"), b: readDocument("b") };

function readDocument(routeSet: RouteSetName) {
  const document = JSON.parse(JSON.stringify(renderOpenApi(routeSet, { serverUrl: "http://x", version: "1" })));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, "document");
  const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.paths;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shared: Described["responses"] = document.components.responses;
  return { ajv, shared, operations: new Map(operations.map((each) => [each.operationId, each])), known: new Map() };
}

/** Describes how a response differs from the OpenAPI document; returns `undefined` if it matches. */
export function findUndocumented({ routeSet, method, path, status, headers, text }: Received): string | undefined {
  const [pathname = "", query = ""] = path.split("?");
  const operation = routes.find({ routeSet, prefix: "", path: pathname }, method)?.route.operation;
  const { operations, shared } = documents[routeSet];
  const described = operation === undefined ? undefined : operations.get(operation);
  if (described === undefined) return undefined;
  const where = `${described.operationId} answered ${status}`;
  const listed = described.responses[status];
  const response = listed?.$ref === undefined ? listed : shared[listed.$ref.split("/").at(-1) ?? ""];
  if (response === undefined) return `${where}, which its OpenAPI document does not list: ${text.slice(0, 300)}`;
  const type = headers.get("Content-Type")?.split(";")[0];
  if (text === "" || type === undefined) return undefined;
  const schema = response.content?.[type]?.["schema"];
  if (schema === undefined) return `${where} with ${type}, which its OpenAPI document does not list`;
  // With `fields`, a list contains partial records.
  if (!type.endsWith("json") || query.includes("fields=")) return undefined;
  const validate = validatorOf(routeSet, Object(schema).$ref);
  return validate(JSON.parse(text)) ? undefined : `${where} against its schema: ${JSON.stringify(validate.errors)}`;
}

function validatorOf(routeSet: RouteSetName, reference: string): ValidateFunction {
  const { ajv, known } = documents[routeSet];
  const validate: ValidateFunction = known.get(reference) ?? ajv.compile({ $ref: `document${reference}` });
  known.set(reference, validate);
  return validate;
}
