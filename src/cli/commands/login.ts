import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import {
  exchangeCode,
  findAuthorizationServer,
  registerProgram,
  revokeToken,
  type AuthorizationServer,
} from "../../client/oauth.ts";
import { changeLogins, loginKey, withTokens, type Login } from "../../target/login.ts";
import type { CliContext } from "../context.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { openCallback, type Callback, openBrowser } from "../login/browser.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { paintFor, isWatched, createCliLogger } from "../terminal.ts";
import { openProject, requireService } from "../with-project.ts";
import { hostedService } from "../../target/target.ts";

interface LoginFlags extends PublishFlags {
  /** `false`: the address is only shown. */
  readonly browser?: boolean;
}

const LONGEST_WAIT_MS = 5 * 60_000;

/** `imprint login`: has a person authorize this program in their browser, and stores the tokens. */
export async function login({ flags, context, paint }: CommandRun<LoginFlags>): Promise<CommandResult> {
  const project = await openProject({ flags }, context);
  requireService(project);
  const { options, environment } = project;
  const service = hostedService(options, environment);
  const file = requireFile(environment.loginFile);
  const server = await findAuthorizationServer(service, context.signal);
  const made = await askPerson(server, { flags, context });
  await changeLogins(file, async (logins) => ({ ...logins, [loginKey(service)]: made }), context);
  const lines = [
    paint("good", `You are logged in to ${loginKey(service)}.`),
    `  Scopes       ${made.scopes?.join(" ") ?? "whatever the service allows"}`,
    `  Stored in    ${file}`,
    paint("dim", "  Log out with `imprint logout`. IMPRINT_API_KEY takes precedence if it is set."),
  ];
  const { scopes, expiresAt } = made;
  return { json: { service: loginKey(service), scopes, expiresAt, file }, text: `${lines.join("\n")}\n` };
}

/** Returns the file of the logins; throws `STATE_UNWRITABLE` if the environment specifies no folder for it. */
function requireFile(file: string | undefined): string {
  if (file !== undefined) return file;
  throw new ImprintError("STATE_UNWRITABLE", "There is no folder to store the login in.", {
    hint: "Set HOME or XDG_CONFIG_HOME, or use an API key in IMPRINT_API_KEY.",
  });
}

interface Asking {
  readonly flags: LoginFlags;
  readonly context: CliContext;
}

async function askPerson(server: AuthorizationServer, { flags, context }: Asking): Promise<Login> {
  const { signal } = context;
  const state = randomBytes(24).toString("base64url");
  const verifier = randomBytes(32).toString("base64url");
  const callback = await openCallback(state);
  try {
    const { redirectUri } = callback;
    const clientId = await registerProgram(server, { name: `imprint on ${hostname()}`, redirectUri }, signal);
    const address = new URL(server.authorizationEndpoint);
    const fields = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      resource: server.resource,
      ...(server.scopes === undefined ? {} : { scope: server.scopes.join(" ") }),
    };
    for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value);
    invite(address.href, { flags, context });
    const code = parseAnswer(await awaitAnswer(callback, signal), server);
    const tokens = await exchangeCode({ server, clientId }, { code, verifier, redirectUri }, signal);
    const { issuer, tokenEndpoint, revocationEndpoint, resource } = server;
    const endpoints = revocationEndpoint === undefined ? {} : { revocationEndpoint };
    return withTokens({ issuer, tokenEndpoint, ...endpoints, resource, clientId }, tokens);
  } finally {
    callback.close();
  }
}

// Prompts go to the error stream, so that `--json` output stays valid.
function invite(address: string, { flags, context }: Asking): void {
  const { error, environment } = context;
  const paint = paintFor(error, environment);
  const opens = flags.browser !== false && isWatched(context.out, environment);
  if (opens) openBrowser(address);
  const how = opens
    ? "Opening your browser. If nothing opens, open this address in it:"
    : "Open this address in a browser:";
  error.write(`${how}\n\n  ${paint("strong", address)}\n\n`);
  error.write(paint("dim", "Waiting up to 5 minutes for you to respond there. Press Ctrl+C to cancel.\n"));
}

async function awaitAnswer({ answer }: Callback, signal: AbortSignal | undefined): Promise<URLSearchParams> {
  const over = new AbortController();
  const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    const found = await Promise.race([answer, wait(LONGEST_WAIT_MS, undefined, { signal: ends })]);
    if (found !== undefined) return found;
  } catch (error) {
    throw new ImprintError("ABORTED", "The login was interrupted.", { cause: error, hint: "Run it again." });
  } finally {
    over.abort();
  }
  throw new ImprintError("LOGIN_FAILED", "Nobody responded in the browser within 5 minutes.", {
    hint: "Run `imprint login` again. On a machine without a browser, use an API key in IMPRINT_API_KEY.",
  });
}

function parseAnswer(answer: URLSearchParams, { issuer, namesItself }: AuthorizationServer): string {
  const named = answer.get("iss");
  // A response from another server may carry a code that is meant for that server (RFC 9207).
  if (named === null ? namesItself : named !== issuer) {
    throw new ImprintError("LOGIN_FAILED", `The response came from a service other than ${issuer}.`);
  }
  const error = answer.get("error");
  if (error === "access_denied") throw new ImprintError("LOGIN_FAILED", "You denied the request in the browser.");
  if (error !== null) throw new ImprintError("LOGIN_FAILED", `${issuer} refused the login: ${asciiOf(error)}.`);
  const code = answer.get("code");
  if (code === null || code === "") throw new ImprintError("LOGIN_FAILED", `${issuer} responded without a code.`);
  return code;
}

function asciiOf(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, " ").slice(0, 100);
}

/** `imprint logout`: revokes the login on the service, and removes it from this machine in any case. */
export async function logout({ flags, context }: CommandRun<PublishFlags>): Promise<CommandResult> {
  const project = await openProject({ flags }, context);
  requireService(project);
  const { options, environment } = project;
  const service = loginKey(hostedService(options, environment));
  let ended: Login | undefined;
  await changeLogins(
    requireFile(environment.loginFile),
    async (logins) => {
      ended = logins[service];
      return ended === undefined
        ? logins
        : Object.fromEntries(Object.entries(logins).filter(([name]) => name !== service));
    },
    context,
  );
  const isRevoked = ended !== undefined && (await revoke(ended, context));
  const message = ended === undefined ? `You are not logged in to ${service}.` : `You are logged out of ${service}.`;
  return { json: { service, loggedOut: ended !== undefined, revoked: isRevoked }, text: `${message}\n` };
}

async function revoke(login: Login, context: CliContext): Promise<boolean> {
  const server = { revocationEndpoint: undefined, ...login };
  try {
    await revokeToken({ server, clientId: login.clientId }, login.refreshToken ?? login.accessToken, context.signal);
    return login.revocationEndpoint !== undefined;
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    const advice = "Revoke it in the service's dashboard, under Connected apps.";
    createCliLogger(context).warn(
      `The login was removed from this machine but not revoked on the service: ${error.message} ${advice}`,
    );
    return false;
  }
}
