import { describe, expect, it } from "vitest";
import { operationOf, OPERATIONS } from "../../../src/contract/operations.ts";
import { TOOL_WORDS } from "../../../src/service/mcp/tool-words.ts";
import { createTools } from "../../../src/service/mcp/tools.ts";
import { NOT_TOOLS } from "../../../tools/docs/mcp-page.ts";

const tools = createTools();
const operations = Object.entries(OPERATIONS);

describe("the tools", () => {
  it("cover each operation, or there is a reason why not", () => {
    const isTool = new Set<string>(tools.map(({ operation }) => operation));
    const isDecided = (name: string) => isTool.has(name) !== Object.hasOwn(NOT_TOOLS, name);
    expect(operations.map(([name]) => name).filter((name) => !isDecided(name))).toEqual([]);
    for (const reason of Object.values(NOT_TOOLS)) expect(reason.length).toBeGreaterThan(15);
  });

  it("have unique names that every client accepts", () => {
    const names = tools.map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the description of an argument", () => {
  it("is the one of its tool, even if another tool has an argument of the same name", () => {
    const wordsOf = (name: string, argument: string) => {
      const properties = Object(tools.find((tool) => tool.name === name)?.inputSchema["properties"]);
      return properties[argument]?.description;
    };
    expect(wordsOf("pages_list", "siteId")).toBeUndefined();
    expect(wordsOf("sites_delete", "siteId")).toBeUndefined();
    expect(wordsOf("pages_patch", "siteId")).toBe("ID of the site it belongs to; null for none.");
    expect(wordsOf("domains_patch", "siteId")).toBe("ID of the site that it shows; null for all pages.");
    expect(wordsOf("analytics_summary", "from")).toBe("First day (UTC). Default: 30 days ago.");
    expect(wordsOf("submissions_list", "from")).toBe("First day or time (UTC). Default: no limit.");
    const readers = tools.filter(({ annotations }) => annotations.readOnlyHint);
    expect(readers.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes("null"))).toEqual([]);
  });
});

describe.each(tools)("the tool $name", (tool) => {
  const contract = operationOf(tool.operation);

  it("requires its operation's scope, and declares its effect on records", () => {
    const { annotations, method, scope } = tool;
    expect(scope).toBe(contract.scope);
    expect(annotations.readOnlyHint).toBe(method === "GET");
    expect(annotations.readOnlyHint).toBe(scope.endsWith(":read"));
    expect(annotations.destructiveHint).toBe(["PUT", "PATCH", "DELETE"].includes(method));
    expect(annotations.idempotentHint).toBe(method !== "POST");
  });

  it("accepts its operation's fields, and describes those whose name isn't enough", () => {
    const properties: Readonly<Record<string, { readonly description?: string }>> = Object(
      tool.inputSchema["properties"],
    );
    const leftOut: readonly string[] = Object(TOOL_WORDS[tool.operation]).leftOut ?? [];
    const expected = Object.keys(contract.query.shape).filter((name) => !leftOut.includes(name));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...tool.parameters, ...expected]));
    for (const [name, { description }] of Object.entries(properties)) {
      if (description !== undefined) expect(`${name}: ${description}`).toMatch(/^\w+: [A-Z`].*[.)]$/);
    }
    expect(tool.inputSchema["required"] ?? []).toEqual(expect.arrayContaining([...tool.parameters]));
  });
});
