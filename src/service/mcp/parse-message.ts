import type { Limits } from "../../contract/limits.ts";
import { parseSentJson, readBody } from "../http/request.ts";

/** A JSON-RPC message that the protocol may look at, or the answer to one that it must not. */
export type ReceivedMessage =
  | { readonly kind: "message"; readonly body: object }
  | { readonly kind: "refused"; readonly response: Response };

// What the frame of a message may add to the largest body that the API takes.
const FRAME_BYTES = 64 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Reads the body of a request; throws `body_too_large`. */
export async function parseMessage(request: Request, limits: Limits): Promise<ReceivedMessage> {
  const bytes = await readBody(request, { maxBytes: limits.maxJsonBodyBytes + FRAME_BYTES, code: "body_too_large" });
  const text = new TextDecoder().decode(bytes);
  if (isNestedTooDeeply(text)) return refuse(INVALID_REQUEST, "The message is nested too deeply.");
  const body = findJson(text);
  // Batches left the protocol in 2025-06-18; one request of many calls would escape the rate limit.
  if (Array.isArray(body)) return refuse(INVALID_REQUEST, "Send one message in each request, not a batch.");
  if (typeof body !== "object" || body === null) return refuse(PARSE_ERROR, "The body is no JSON object.");
  return { kind: "message", body };
}

function findJson(text: string): unknown {
  try {
    return parseSentJson(text);
  } catch {
    return undefined;
  }
}

/** What a message asks for, as the request log names it: `mcp:pages_put` for a call of a tool. */
export function nameOf(body: object): string {
  const method = "method" in body ? body.method : undefined;
  const name = findCalledTool(body) ?? method;
  return typeof name === "string" && /^[\w/]{1,64}$/.test(name) ? `mcp:${name}` : "mcp";
}

/** The name of the tool that a message calls, whether there is such a tool or not. */
export function findCalledTool(body: object): string | undefined {
  if (!("method" in body) || body.method !== "tools/call" || !("params" in body)) return undefined;
  const { params } = body;
  const name: unknown = typeof params === "object" && params !== null && "name" in params ? params.name : undefined;
  return typeof name === "string" ? name : undefined;
}

function refuse(code: number, message: string): ReceivedMessage {
  const error = { jsonrpc: "2.0", error: { code, message }, id: null };
  return { kind: "refused", response: Response.json(error, { status: 400 }) };
}

// JSON itself may be nested without end. What walks through it afterwards mostly calls itself, and would run out of
// stack. No request of the protocol is nested more deeply than this.
const MAX_DEPTH = 64;

/** Whether a JSON text nests objects and arrays more deeply than any sensible request; does not parse it. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (isInText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
