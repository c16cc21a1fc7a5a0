import { describe, expect, it } from "vitest";
import { operationOf, OPERATIONS } from "../../../src/contract/operations.ts";
import { createTools } from "../../../src/service/mcp/tools.ts";
import { NOT_TOOLS } from "../../../tools/docs/mcp-page.ts";

const tools = createTools();
const operations = Object.entries(OPERATIONS);

describe("the tools", () => {
  it("are one for each operation, or there is a reason why not", () => {
    const isTool = new Set<string>(tools.map(({ operation }) => operation));
    const isDecided = (name: string) => isTool.has(name) !== Object.hasOwn(NOT_TOOLS, name);
    expect(operations.map(([name]) => name).filter((name) => !isDecided(name))).toEqual([]);
    for (const reason of Object.values(NOT_TOOLS)) expect(reason.length).toBeGreaterThan(15);
  });

  it("have names that every client takes, each once", () => {
    const names = tools.map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.each(tools)("the tool $name", (tool) => {
  const contract = operationOf(tool.operation);

  it("needs the scope of its operation and says what it does to records", () => {
    const { annotations, method, scope } = tool;
    expect(scope).toBe(contract.scope);
    expect(annotations.readOnlyHint).toBe(method === "GET");
    expect(annotations.readOnlyHint).toBe(scope.endsWith(":read"));
    expect(annotations.destructiveHint).toBe(["PUT", "PATCH", "DELETE"].includes(method));
    expect(annotations.idempotentHint).toBe(method !== "POST");
  });

  it("takes every field of its operation and tells what each argument means", () => {
    const properties: Readonly<Record<string, { readonly description?: string }>> = Object(
      tool.inputSchema["properties"],
    );
    const fields = Object.keys(contract.query.shape);
    const expected = tool.operation === "pages.list" ? fields.filter((name) => name !== "fields") : fields;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...tool.parameters, ...expected]));
    for (const [name, { description = "" }] of Object.entries(properties)) {
      expect(`${name}: ${description}`).toMatch(/^\w+: [A-Z`].*[.)]$/);
    }
    expect(tool.inputSchema["required"] ?? []).toEqual(expect.arrayContaining([...tool.parameters]));
    expect(tool.inputSchema["additionalProperties"]).toBe(false);
  });
});
