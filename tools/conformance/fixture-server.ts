import {
  completable,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { registerInputRounds, stateCodec } from "./input-rounds.ts";

// Tools, resources and prompts that the conformance suite expects, under its names, and that a product has no use for.
// They are served by the same endpoint as the product's own tools.

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value: string) => ({ type: "text", text: value }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;

const ANSWERS: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ],
  },
  test_error_handling: { isError: true, content: [text("This tool intentionally returns an error for testing")] },
};

const EVERY_KEYWORD = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** Creates a server with everything that the suite expects. */
export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: "astro-imprint-conformance", version: "1" },
    {
      capabilities: { logging: {}, tools: { listChanged: false }, resources: { listChanged: false } },
      requestState: { verify: stateCodec.verify },
    },
  );
  for (const [name, answer] of Object.entries(ANSWERS)) {
    server.registerTool(name, { description: `Fixture: ${name}` }, () => answer);
  }
  registerStreams(server);
  registerSchemas(server);
  registerResources(server);
  registerPrompts(server);
  registerInputRounds(server);
  return server;
}

function registerStreams(server: McpServer): void {
  server.registerTool("test_tool_with_progress", { description: "Fixture: tells its progress" }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken ?? 0, progress, total: 100 };
      await ctx.mcpReq.notify({ method: "notifications/progress", params });
    }
    return { content: [text("Progress was told.")] };
  });
  server.registerTool("test_tool_with_logging", { description: "Fixture: writes log messages" }, async (ctx) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", message);
    }
    return { content: [text("Logged.")] };
  });
  server.registerTool("test_logging_tool", { description: "Fixture: writes a log message" }, async (ctx) => {
    await ctx.mcpReq.log("info", "Fixture log message");
    return { content: [text("Logged.")] };
  });
}

function registerSchemas(server: McpServer): void {
  const schema = fromJsonSchema(EVERY_KEYWORD);
  const described = { description: "Tool with JSON Schema 2020-12 features", inputSchema: schema };
  server.registerTool("json_schema_2020_12_tool", described, () => ({ content: [text("Done.")] }));
  const region = z.string().meta({ "x-mcp-header": "Region", description: "Sent as a header too." });
  const config = { description: "Fixture: an argument that is a header too", inputSchema: z.object({ region }) };
  server.registerTool("test_custom_header", config, ({ region }) => ({ content: [text(region)] }));
}

function registerResources(server: McpServer): void {
  const plain = { mimeType: "text/plain", description: "Fixture: text" };
  server.registerResource("static-text", "test://static-text", plain, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  const png = { mimeType: "image/png", description: "Fixture: bytes" };
  server.registerResource("static-binary", "test://static-binary", png, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  const json = { mimeType: "application/json", description: "Fixture: a template" };
  server.registerResource("template", template, json, (uri, { id }) => ({
    contents: [
      {
        ...{ uri: uri.href, mimeType: "application/json" },
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

function registerPrompts(server: McpServer): void {
  const say = (content: ReturnType<typeof text> | typeof image) => ({ role: "user", content }) as const;
  server.registerPrompt("test_simple_prompt", { description: "Fixture: no arguments" }, () => ({
    messages: [say(text("This is a simple prompt for testing."))],
  }));
  const words = ["paris", "park", "party"];
  const argument = completable(z.string().describe("First test argument"), (value) =>
    words.filter((word) => word.startsWith(value)),
  );
  const argsSchema = z.object({ arg1: argument, arg2: z.string().describe("Second test argument") });
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Fixture: two arguments", argsSchema },
    ({ arg1, arg2 }) => ({ messages: [say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  const resourceUri = z.string().describe("URI of the resource to embed");
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Fixture: a resource", argsSchema: z.object({ resourceUri }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return {
        messages: [
          { role: "user", content: { type: "resource", resource } },
          say(text("Please process the embedded resource above.")),
        ],
      };
    },
  );
  server.registerPrompt("test_prompt_with_image", { description: "Fixture: an image" }, () => ({
    messages: [say(image), say(text("Please analyze the image above."))],
  }));
}
