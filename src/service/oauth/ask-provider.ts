import { AsyncLocalStorage } from "node:async_hooks";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import { useToken } from "../store/oauth.ts";
import { COOKIES, createProvider } from "./provider.ts";

/** One request as the library is to see it. */
export interface ProviderRequest {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The consent form that a person has answered. */
  readonly answered?: string;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Set when a person has to be asked first. */
  readonly consent: Consent | undefined;
}

/** A valid request of a program that a person has to decide about. */
export interface Consent {
  /** The one-time name of the form. */
  readonly uid: string;
  readonly context: KoaContextWithOIDC;
}

/** The library with its web server's clothes on and no socket: a request goes in, an answer comes out. */
export interface ProviderPort {
  ask(request: ProviderRequest): Promise<ProviderAnswer>;
  /** Keeps what a person answered for the request that is asked with `answered` next; `false` when it is too late. */
  settle(uid: string, result: Readonly<Record<string, unknown>>): Promise<boolean>;
}

interface Asking {
  consent: Consent | undefined;
  failure: unknown;
}

/** Nothing is loaded until the first request. */
export function createProviderPort(core: Core): ProviderPort {
  const asking = new AsyncLocalStorage<Asking>();
  let opening: Promise<Opened> | undefined;

  function open(): Promise<Opened> {
    opening ??= openProvider(core, asking).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    async ask(request) {
      const { send } = await open();
      const noted: Asking = { consent: undefined, failure: undefined };
      const answer = await asking.run(noted, () => send(request));
      // The host reports what failed, as every failure of the service.
      if (noted.failure !== undefined) throw noted.failure;
      return { ...answer, consent: noted.consent };
    },
    async settle(uid, result) {
      const { provider } = await open();
      const interaction = await provider.Interaction.find(uid);
      const name = { kind: "Interaction", hash: sha256(uid) };
      if (interaction === undefined || !(await useToken(core.store.database, name, core.now()))) return false;
      interaction.result = { ...result };
      await interaction.persist();
      return true;
    },
  };
}

interface Opened {
  readonly provider: Provider;
  readonly send: (request: ProviderRequest) => Promise<Omit<ProviderAnswer, "consent">>;
}

async function openProvider(core: Core, asking: AsyncLocalStorage<Asking>): Promise<Opened> {
  const { inject } = await import("light-my-request");
  const provider = await createProvider(core, {
    onConsent(context, uid) {
      const noted = asking.getStore();
      if (noted !== undefined) noted.consent = { uid, context };
    },
    onFailure(error) {
      const noted = asking.getStore();
      if (noted !== undefined) noted.failure = error;
    },
  });
  const handle = provider.callback();
  const { host, protocol } = new URL(core.addresses.appUrl);
  return {
    provider,
    async send({ method, path, headers = {}, body, answered }) {
      const {
        statusCode,
        headers: received,
        payload,
      } = await inject((request, response) => void handle(request, response), {
        method,
        url: path,
        headers: { ...headers, host, "x-forwarded-proto": protocol.slice(0, -1) },
        ...(answered === undefined ? {} : { cookies: { [COOKIES.resume]: answered } }),
        ...(body === undefined ? {} : { payload: Buffer.from(body) }),
      });
      return { status: statusCode, headers: received, body: payload };
    },
  };
}
