/** An answer in plain values. */
export interface PlainResponse {
  readonly status: number;
  /** By names in their usual spelling (`Content-Type`), so that the same header always has the same key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
}

/** What may come out of serving a request: plain values, or a `Response` where nobody waits for the difference. */
export type AnyResponse = PlainResponse | Response;

/** An outcome as Fetch has it; the answer to `HEAD` is without a body. */
export function toResponse(outcome: AnyResponse, { method }: { readonly method?: string } = {}): Response {
  if (outcome instanceof Response && (method !== "HEAD" || outcome.body === null)) return outcome;
  const { status, headers, body = null } = outcome;
  return new Response(method === "HEAD" ? null : body, { status, headers });
}

/** A `Response` without cookies as plain values. */
export function toPlainResponse(outcome: AnyResponse): PlainResponse {
  if (!(outcome instanceof Response)) return outcome;
  const { status, headers, body } = outcome;
  return { status, headers: Object.fromEntries(headers), body: body ?? undefined };
}

/** Gives an outcome these headers unless it has its own. */
export function withDefaultHeaders(outcome: AnyResponse, headers: Readonly<Record<string, string>>): AnyResponse {
  if (!(outcome instanceof Response)) return { ...outcome, headers: { ...headers, ...outcome.headers } };
  for (const [name, value] of Object.entries(headers)) {
    if (!outcome.headers.has(name)) outcome.headers.set(name, value);
  }
  return outcome;
}
