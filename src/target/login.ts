import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { refreshTokens, type Tokens } from "../client/oauth.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { tryProcessLock, type ProcessLock } from "../memory/process-lock.ts";

const loginSchema = z.object({
  issuer: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().optional(),
  resource: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.iso.datetime(),
  scopes: z.array(z.string()).optional(),
});

const fileSchema = z.object({ version: z.literal(1), logins: z.record(z.string(), loginSchema) });

/** A stored login to one service. */
export type Login = z.infer<typeof loginSchema>;

/** Logins by the address of the service before `/api`. */
type Logins = Readonly<Record<string, Login>>;

// A request fails if its token expires in the meantime.
const RENEW_BEFORE_MS = 5 * 60_000;

/**
 * Finds the login to a service. Returns a function that returns a token with some validity left and renews it before it
 * expires; `undefined` if there is no login.
 */
export async function findLogin(service: string, file: string): Promise<(() => Promise<string>) | undefined> {
  const key = loginKey(service);
  const kept = (await readLogins(file))[key];
  if (kept === undefined) return undefined;
  let login: Login = kept;
  let renewing: Promise<Login> | undefined;
  return async () => {
    if (!isEnding(login)) return login.accessToken;
    renewing ??= renew(key, file).finally(() => {
      renewing = undefined;
    });
    login = await renewing;
    return login.accessToken;
  };
}

/** Returns the key of a service's login: its address before `/api`, without a trailing slash. */
export function loginKey(service: string): string {
  const url = URL.parse(service);
  return (url === null ? service : `${url.origin}${url.pathname}`).replace(/\/+$/, "");
}

/** Returns a login with new tokens. */
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

function isEnding({ expiresAt }: Login): boolean {
  return new Date(expiresAt).getTime() - Date.now() < RENEW_BEFORE_MS;
}

async function renew(key: string, file: string): Promise<Login> {
  const renewed = await changeLogins(file, async (logins) => {
    const login = requireLogin(logins, key);
    // Another process may have renewed it while this one waited for the lock.
    if (!isEnding(login)) return logins;
    const { refreshToken, clientId, expiresAt } = login;
    if (refreshToken === undefined) {
      throw new ImprintError("LOGIN_EXPIRED", `The login to ${key} expired at ${expiresAt}.`);
    }
    const program = { server: { revocationEndpoint: undefined, ...login }, clientId };
    return { ...logins, [key]: withTokens(login, await refreshTokens(program, refreshToken)) };
  });
  return requireLogin(renewed, key);
}

function requireLogin(logins: Logins, key: string): Login {
  const login = logins[key];
  if (login === undefined) throw new ImprintError("LOGIN_EXPIRED", `The login to ${key} was ended by a logout.`);
  return login;
}

const LONGEST_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * Changes the logins of a file, one process at a time: a refresh token is valid for one use, and two processes that use
 * it at the same time would both be logged out.
 *
 * @param change gets the current logins and returns the new ones; nothing is written if it returns the same object
 */
export async function changeLogins(
  file: string,
  change: (logins: Logins) => Promise<Logins>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Logins> {
  const lock = await acquireLock(file, signal);
  try {
    const before = await readLogins(file);
    const after = await change(before);
    if (after !== before) await writeLogins(file, after);
    return after;
  } finally {
    lock.release();
  }
}

async function acquireLock(file: string, signal: AbortSignal | undefined): Promise<ProcessLock> {
  const until = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const lock = await tryLock(`${file}.lock`);
    if ("release" in lock) return lock;
    if (signal?.aborted === true) throw new ImprintError("ABORTED", "The run was interrupted.");
    if (performance.now() > until) {
      throw new ImprintError(
        "STATE_UNWRITABLE",
        `Another process${lock.pid === undefined ? "" : ` (${lock.pid})`} still holds ${file}.lock.`,
        {
          hint: "Wait until it has finished, or stop it.",
        },
      );
    }
    await wait(LOOK_EVERY_MS);
  }
}

async function tryLock(file: string): Promise<ReturnType<typeof tryProcessLock>> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return tryProcessLock(file);
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads the logins in a file; none if there is no such file. Throws `STATE_UNREADABLE`. */
async function readLogins(file: string): Promise<Logins> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return {};
    throw unreadable(file, messageOf(error), error);
  }
  const parsed = parseFile(text);
  if (parsed === undefined) throw unreadable(file, "it isn't a list of logins of this version", undefined);
  return parsed.logins;
}

function parseFile(text: string): z.infer<typeof fileSchema> | undefined {
  try {
    return fileSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function unreadable(file: string, reason: string, cause: unknown): ImprintError {
  return new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${reason}.`, {
    cause,
    hint: "Delete the file and log in again with `imprint login`.",
  });
}

/** Replaces the file atomically, readable only by its owner. Throws `STATE_UNWRITABLE`. */
async function writeLogins(file: string, logins: Logins): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // A refresh token that is lost in a power cut can't be recovered: the service has already invalidated the previous
    // one.
    await writeWhole(file, `${JSON.stringify({ version: 1, logins }, undefined, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}
