import { passOn, type Meddled } from "./proxy.ts";

/** One way in which a single request goes wrong. */
export interface NetworkFault {
  readonly name: string;
  /** Duration: one request, every repetition of it, or every request from then on. */
  readonly lasts: "once" | "here" | "always";
  /** The methods that it applies to. Default: all. */
  readonly methods?: RegExp;
  work(exchange: Meddled): Promise<void>;
}

async function answerWith(
  { answer }: Meddled,
  { status, headers = {} }: { readonly status: number; readonly headers?: Record<string, string> },
): Promise<void> {
  answer.writeHead(status, { "content-type": "application/problem+json", ...headers });
  answer.end(JSON.stringify({ title: "A fault", status, code: "fault" }));
}

function status(code: number, headers?: Record<string, string>): Pick<NetworkFault, "work"> {
  return { work: (exchange) => answerWith(exchange, { status: code, ...(headers === undefined ? {} : { headers }) }) };
}

const SLOW_PIECES = 8;

export const NETWORK_FAULTS: readonly NetworkFault[] = [
  { name: "connection refused", lasts: "always", work: async ({ shut }) => shut() },
  { name: "closed before commit", lasts: "once", work: async ({ answer }) => void answer.socket?.destroy() },
  {
    name: "reset after commit",
    lasts: "once",
    async work({ answer, forward }) {
      await forward();
      answer.socket?.resetAndDestroy();
    },
  },
  { name: "reset before commit", lasts: "once", work: async ({ answer }) => void answer.socket?.resetAndDestroy() },
  { name: "no answer, not done", lasts: "once", work: async () => {} },
  {
    name: "no answer, done",
    lasts: "once",
    async work({ forward }) {
      await forward();
    },
  },
  {
    name: "slow body",
    lasts: "once",
    async work({ answer, forward }) {
      const { status: code, headers, bytes } = await forward();
      answer.writeHead(code, headers);
      const size = Math.max(1, Math.ceil(bytes.length / SLOW_PIECES));
      for (let start = 0; start < bytes.length; start += size) {
        answer.write(bytes.subarray(start, start + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      answer.end();
    },
  },
  {
    name: "silent in the body",
    lasts: "once",
    async work({ answer, forward }) {
      const { status: code, headers, bytes } = await forward();
      answer.writeHead(code, { ...headers, "content-length": String(Math.max(2, bytes.length)) });
      answer.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  },
  {
    name: "truncated answer",
    lasts: "once",
    async work({ answer, forward }) {
      const { status: code, headers, bytes } = await forward();
      answer.writeHead(code, { ...headers, "content-length": String(Math.max(2, bytes.length)) });
      answer.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => answer.socket?.destroy());
    },
  },
  {
    name: "wrong JSON",
    lasts: "once",
    async work({ answer, forward }) {
      const { status: code, headers } = await forward();
      passOn(answer, {
        status: code === 204 ? 200 : code,
        headers: { "content-type": headers["content-type"] },
        bytes: Buffer.from('{"data": ['),
      });
    },
  },
  { name: "500", lasts: "once", ...status(500) },
  {
    name: "500 after commit",
    lasts: "once",
    async work(exchange) {
      await exchange.forward();
      await answerWith(exchange, { status: 500 });
    },
  },
  { name: "502", lasts: "once", ...status(502) },
  { name: "503", lasts: "once", ...status(503) },
  { name: "503 Retry-After: 2", lasts: "once", ...status(503, { "retry-after": "2" }) },
  { name: "503 Retry-After: 1 day", lasts: "always", ...status(503, { "retry-after": "86400" }) },
  { name: "429", lasts: "once", ...status(429) },
  { name: "429 Retry-After: 2", lasts: "once", ...status(429, { "retry-after": "2" }) },
  { name: "redirect", lasts: "always", ...status(302, { location: "https://login.example.org/" }) },
  { name: "401 (key revoked)", lasts: "always", ...status(401) },
  { name: "402 (plan)", lasts: "always", ...status(402) },
  { name: "413 (too large)", lasts: "here", methods: /^P/, ...status(413) },
];
