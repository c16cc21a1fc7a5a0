import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { randomBytes } from "node:crypto";

// Tools of the conformance suite that request input from the client before they respond (SEP-2322).

/** Signs the state that a tool sends to the client and gets back with the next round. */
export const stateCodec = createRequestStateCodec({ key: randomBytes(32) });

const text = (value: string): CallToolResult => ({ content: [{ type: "text", text: value }] });

const ask = {
  elicit: (message: string, field: string) =>
    inputRequired.elicit({
      message,
      requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
    }),
  confirm: () =>
    inputRequired.elicit({
      message: "Please confirm",
      requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
    }),
  sample: (question: string) =>
    inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text: question } }],
      maxTokens: 100,
    }),
  roots: () => inputRequired.listRoots(),
} as const;

type Round = (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

const isMissing = (context: ServerContext, key: string) =>
  inputResponse(context.mcpReq.inputResponses, key).kind === "missing";

const told = (context: ServerContext, key: string) => JSON.stringify(context.mcpReq.inputResponses?.[key]);

const ROUNDS: Readonly<Record<string, Round>> = {
  test_input_required_result_elicitation: async (context) =>
    isMissing(context, "user_name")
      ? inputRequired({ inputRequests: { user_name: ask.elicit("What is your name?", "name") } })
      : text(`Hello, ${told(context, "user_name")}!`),
  test_input_required_result_sampling: async (context) =>
    isMissing(context, "capital_question")
      ? inputRequired({ inputRequests: { capital_question: ask.sample("What is the capital of France?") } })
      : text(told(context, "capital_question") ?? ""),
  test_input_required_result_list_roots: async (context) =>
    isMissing(context, "client_roots")
      ? inputRequired({ inputRequests: { client_roots: ask.roots() } })
      : text(told(context, "client_roots") ?? ""),
  test_input_required_result_request_state: async (context) =>
    isMissing(context, "confirm")
      ? inputRequired({
          inputRequests: { confirm: ask.confirm() },
          requestState: await stateCodec.mint({ step: 1 }),
        })
      : text(`state-ok ${JSON.stringify(context.mcpReq.requestState())}`),
  test_input_required_result_tampered_state: async (context) =>
    context.mcpReq.requestState() === undefined
      ? inputRequired({
          inputRequests: { confirm: ask.confirm() },
          requestState: await stateCodec.mint({ step: 1 }),
        })
      : text("The state was not changed."),
  test_input_required_result_multiple_inputs: async (context) =>
    ["user_name", "greeting", "client_roots"].some((key) => isMissing(context, key))
      ? inputRequired({
          inputRequests: {
            user_name: ask.elicit("What is your name?", "name"),
            greeting: ask.sample("Generate a greeting"),
            client_roots: ask.roots(),
          },
          requestState: await stateCodec.mint({ step: 1 }),
        })
      : text(`${told(context, "user_name")} ${told(context, "greeting")} ${told(context, "client_roots")}`),
  test_input_required_result_multi_round: async (context) => {
    if (!isMissing(context, "step2")) return text(`Done: ${told(context, "step2")}`);
    const isFirst = isMissing(context, "step1");
    const [key, request] = isFirst
      ? ["step1", ask.elicit("Step 1: What is your name?", "name")]
      : ["step2", ask.elicit("Step 2: What is your favorite color?", "color")];
    return inputRequired({
      inputRequests: { [key]: request },
      requestState: await stateCodec.mint({ step: isFirst ? 1 : 2 }),
    });
  },
  test_input_required_result_capabilities: async (context) => {
    const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
    const can: object = Object(envelope[CLIENT_CAPABILITIES_META_KEY]);
    const inputRequests = {
      ...("sampling" in can && { sampled: ask.sample("Say hello") }),
      ...("elicitation" in can && { asked: ask.elicit("What is your name?", "name") }),
    };
    return inputRequired({ inputRequests });
  },
  test_missing_capability: async () => inputRequired({ inputRequests: { sampled: ask.sample("Say hello") } }),
  test_streaming_elicitation: async () =>
    inputRequired({ inputRequests: { user_name: ask.elicit("What is your name?", "name") } }),
};

/** Registers all tools and the prompt that request input before they respond. */
export function registerInputRounds(server: McpServer): void {
  for (const [name, round] of Object.entries(ROUNDS)) {
    server.registerTool(name, { description: `Fixture: ${name}` }, round);
  }
  const prompt = { description: "Fixture: a prompt that asks first" };
  server.registerPrompt("test_input_required_result_prompt", prompt, (context) =>
    isMissing(context, "user_context")
      ? inputRequired({
          inputRequests: { user_context: ask.elicit("What context should the prompt use?", "context") },
        })
      : { messages: [{ role: "user", content: { type: "text", text: told(context, "user_context") ?? "" } }] },
  );
}
