import type { Core } from "../host/core.ts";

const TIMEOUT_MS = 5_000;
// The library reads at most 5 KiB of it.
const MAX_BYTES = 8 * 1024;

/** Fetches what a program tells about itself at the address that it is known by. */
export async function fetchClientDocument({ remote, imports }: Core, address: string): Promise<Response> {
  const { status, headers, bytes } = await imports.run(() =>
    remote.fetch(address, {
      headers: { accept: "application/json" },
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      maxBytes: MAX_BYTES,
      whenLarger: "refuse",
    }),
  );
  const kept = ["cache-control", "expires", "content-type"].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Response(bytes, { status, headers: Object.fromEntries(kept) });
}
