import { renderOpenApi } from "../../../src/contract/openapi/document.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly format?: string;
}

interface Content {
  readonly description?: string;
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter extends Schema {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean | undefined;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly "x-scope"?: string;
  readonly "x-origin"?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Shown extends Operation {
  readonly document: Document;
  /** Method and path, by the route sets that have it. */
  readonly routes: ReadonlyMap<string, string>;
}

/** A page for each group of operations, from the service's OpenAPI documents. */
export function renderApiPages(): readonly { readonly id: string; readonly text: string }[] {
  const operations = new Map<string, Shown>();
  const groups = new Map<string, string>();
  for (const routeSet of ["A", "B"] as const) {
    const document = readDocument(routeSet === "A" ? "a" : "b");
    for (const { name, description } of document.tags) groups.set(name, description);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId } = operation;
        const known = operations.get(operationId) ?? { ...operation, document, routes: new Map() };
        const routes = new Map([...known.routes, [routeSet, `${method.toUpperCase()} ${path}`]]);
        operations.set(operationId, { ...known, routes });
      }
    }
  }
  return [...groups].map(([name, description]) => {
    const members = [...operations.values()].filter(({ tags }) => tags.includes(name));
    const text = `# ${titleOf(name)}\n\n${description} [The service](service-api.md) documents how to call the API.\n\n${members.map(renderOperation).join("\n")}`;
    return { id: `api/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, text };
  });
}

function readDocument(routeSet: "a" | "b"): Document {
  const text = JSON.stringify(renderOpenApi(routeSet, { serverUrl: "http://127.0.0.1:4400", version: "1" }));
  const document: Document = JSON.parse(text);
  return document;
}

function titleOf(name: string): string {
  if (name === "oauth" || name === "openapi") return name === "oauth" ? "OAuth" : "OpenAPI";
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function renderOperation(operation: Shown): string {
  const { operationId, summary, description, document, routes, requestBody, responses } = operation;
  const both = new Set(routes.values()).size === 1 && routes.size === 2;
  const lines = both
    ? [[...routes.values()][0] ?? ""]
    : [...routes].map(([routeSet, route]) => `${route}   # route set ${routeSet}`);
  const facts = [
    operation["x-scope"] === undefined ? "No key is needed." : `Scope: \`${operation["x-scope"]}\`.`,
    operation["x-origin"] === undefined ? "" : "An extension of this service: other hosts may not have it.",
  ];
  const answers = Object.entries(responses).map(([status, answer]) => [status, resolve(answer, document)] as const);
  const [, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return [
    `## ${summary}`,
    `\`\`\`http\n${lines.join("\n")}\n\`\`\``,
    `${description ?? ""}\n\n\`${operationId}\`. ${facts.filter(Boolean).join(" ")}`,
    renderFields("Parameters", parametersOf(operation)),
    renderFields("Body", fieldsOf(resolve(body?.schema ?? {}, document), document)),
    ...answers.filter(([status]) => Number(status) < 300).map((answer) => renderAnswer(answer, document)),
    renderFields("Problem", answers.filter(([status]) => Number(status) >= 300).map(problemOf)),
    "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
}

function renderFields(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return "";
  const rows = fields.map(({ name, type, meaning }) => `| \`${name}\` | ${type} | ${cell(meaning)} |`);
  return `| ${title} | Type | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function parametersOf({ parameters, document }: Shown): readonly Field[] {
  return parameters.map((each) => {
    const { name, in: place, required, schema = {}, description = "" } = resolve(each, document);
    const where = place === "path" || place === "query" ? place : `${place} field`;
    const meaning = `${required ? "Required. " : ""}${description}`;
    return { name, type: `${typeOf(schema)}, ${where}`, meaning };
  });
}

function fieldsOf(schema: Schema, document: Document): readonly Field[] {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(part, document))];
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).map(([name, field]) => {
      const meaning = `${required.has(name) ? "Required. " : ""}${resolve(field, document).description ?? ""}`;
      return { name, type: typeOf(field), meaning };
    }),
  );
}

function renderAnswer([status, answer]: readonly [string, Content], document: Document): string {
  const schema = Object.values(answer.content ?? {})[0]?.schema;
  const start = `**${status}** ${answer.description ?? ""}`;
  if (schema === undefined) return start;
  const whole = resolve(schema, document);
  const item = whole.properties?.["data"]?.items;
  const isList = item !== undefined && "nextCursor" in (whole.properties ?? {});
  const table = renderFields("Field", fieldsOf(resolve(isList ? item : schema, document), document));
  const of = isList ? " `data` is a list of these records; `nextCursor` continues it." : "";
  return `${start}${of}\n\n${table === "" ? `Type: ${typeOf(schema)}` : table}`;
}

function problemOf([status, { description = "" }]: readonly [string, Content]): Field {
  return { name: status, type: Number(status) === 304 ? "no body" : "Problem", meaning: description };
}

function typeOf(schema: Schema): string {
  const named = /[^/]+$/.exec(schema.$ref ?? "")?.[0];
  if (named !== undefined) return named;
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices !== undefined) return choices.map((choice) => `\`${cell(JSON.stringify(choice))}\``).join(" or ");
  const inner = schema.anyOf ?? schema.oneOf;
  if (inner !== undefined) return [...new Set(inner.map((each) => typeOf(each)))].join(" or ");
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => (type === "string" && schema.format !== undefined ? schema.format : type)).join(" or ");
}

function resolve<Part extends { readonly $ref?: string }>(part: Part, { components }: Document): Part {
  const [kind = "", name = ""] = /^#\/components\/(.*)$/.exec(part.$ref ?? "")?.[1]?.split("/") ?? [];
  const found = components[kind]?.[name];
  return found === undefined ? part : Object.assign({}, part, found);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
