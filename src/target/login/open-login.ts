import { refreshTokens, type Tokens } from "../../client/oauth/tokens.ts";
import { ImprintError } from "../../base/error.ts";
import { changeLogins } from "./change-logins.ts";
import { readLogins, type Login } from "./login-file.ts";

/** A login that can be used. */
export interface OpenLogin {
  /** A token that is good for a while; got anew when the last one is about to end. */
  accessToken(): Promise<string>;
}

export interface LoginSources {
  readonly file: string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal | undefined;
}

// A request that is under way when its token ends is refused.
const RENEW_BEFORE_MS = 5 * 60_000;

/** The login at a service; `undefined` when there is none. */
export async function findLogin(service: string, sources: LoginSources): Promise<OpenLogin | undefined> {
  const { file, now = () => new Date() } = sources;
  const key = loginKey(service);
  let login = (await readLogins(file))[key];
  if (login === undefined) return undefined;
  let renewing: Promise<Login> | undefined;
  return {
    async accessToken() {
      if (login !== undefined && !isEnding(login, now())) return login.accessToken;
      renewing ??= renew(key, { ...sources, now }).finally(() => {
        renewing = undefined;
      });
      login = await renewing;
      return login.accessToken;
    },
  };
}

/** What a service's login is kept under: its address before `/api`, without a slash at the end. */
export function loginKey(service: string): string {
  const url = URL.parse(service);
  return (url === null ? service : `${url.origin}${url.pathname}`).replace(/\/+$/, "");
}

/** A login as it is kept, with new tokens. */
export function withTokens(login: Omit<Login, keyof Tokens>, tokens: Tokens): Login {
  const { accessToken, refreshToken, expiresAt, scopes } = tokens;
  return {
    ...login,
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    expiresAt: expiresAt.toISOString(),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  };
}

function isEnding({ expiresAt }: Login, now: Date): boolean {
  return new Date(expiresAt).getTime() - now.getTime() < RENEW_BEFORE_MS;
}

async function renew(key: string, { file, signal, now }: LoginSources & { readonly now: () => Date }): Promise<Login> {
  const logins = await changeLogins(
    file,
    async (logins) => {
      const login = logins[key];
      if (login === undefined) throw new ImprintError("LOGIN_EXPIRED", `The login at ${key} was ended by a logout.`);
      // Another process may have renewed it while this one waited for its turn.
      if (!isEnding(login, now())) return logins;
      if (login.refreshToken === undefined) {
        throw new ImprintError("LOGIN_EXPIRED", `The login at ${key} ended at ${login.expiresAt}.`);
      }
      const program = { server: { revocationEndpoint: undefined, ...login }, clientId: login.clientId };
      return {
        ...logins,
        [key]: withTokens(login, await refreshTokens(program, login.refreshToken, { now: now(), signal })),
      };
    },
    { signal },
  );
  const login = logins[key];
  if (login === undefined) throw new ImprintError("LOGIN_EXPIRED", `The login at ${key} was ended by a logout.`);
  return login;
}
