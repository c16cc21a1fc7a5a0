import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sendPlainly, type PlainRequest, type PlainResponse } from "../transport/plain-fetch.ts";

const TIMEOUT_MS = 15_000;

/**
 * Sends a request of a login and reads the response as JSON, which is `undefined` where it is none. Throws `ABORTED` and
 * `SERVICE_UNREACHABLE`.
 */
export async function sendForJson(
  address: string,
  { signal, headers, ...request }: Omit<PlainRequest, "redirect">,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await sendPlainly(address, {
      ...request,
      headers: { accept: "application/json", ...headers },
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: response.status, json: parseJson(response) };
  } catch (error) {
    if (signal?.aborted === true) throw new ImprintError("ABORTED", "The login was interrupted.", { cause: error });
    const reason = systemCodeOf(error) ?? messageOf(error);
    throw new ImprintError("SERVICE_UNREACHABLE", `${address} can't be reached: ${reason}.`, { cause: error });
  }
}

function parseJson({ bytes }: PlainResponse): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
