import { onTestFinished } from "vitest";
import { connect, createClient, type ClientOptions, type ConnectOptions, type ImprintApi } from "../../src/client.ts";

/** A key that doesn't look real. */
export const API_KEY = "hosted-key-0123456789/abc+DEF=";

type Given<Options> = Partial<Options> & { readonly baseUrl: string };

/** Creates a client that never waits and is closed when the test ends. */
export function testClient(options: Given<ClientOptions>): ImprintApi {
  const api = createClient({ routeSet: "a", ...quick, ...options });
  onTestFinished(() => api.close());
  return api;
}

export async function testConnect(options: Given<ConnectOptions>): Promise<ImprintApi> {
  const api = await connect({ ...quick, ...options });
  onTestFinished(() => api.close());
  return api;
}

const quick = {
  apiKey: API_KEY,
  sleep: async () => {},
  random: () => 0.5,
};

/** Returns the error of a call that must fail. */
export async function failure(
  call: Promise<unknown>,
): Promise<Error & { readonly code?: string; readonly hint?: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("The call was to fail, but did not.");
}
