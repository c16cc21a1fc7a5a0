import { ImprintError } from "../../base/error.ts";
import { revokeToken } from "../../client/oauth.ts";
import { changeLogins, loginKey, type Login } from "../../target/login.ts";
import { hostedService } from "../../target/target.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { print } from "../print.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { createCliLogger } from "../terminal.ts";
import { openProject } from "../with-project.ts";
import { requireFile } from "./login.ts";

/** `imprint logout`: takes the login back at the service, and forgets it here in any case. */
export async function logoutCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { options, environment } = await openProject({ flags }, context);
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
  const isRevoked = ended !== undefined && (await takeBack(ended, context));
  const message = ended === undefined ? `Nobody is logged in at ${service}.` : `You are logged out of ${service}.`;
  print({ service, loggedOut: ended !== undefined, revoked: isRevoked }, { flags, context, text: `${message}\n` });
  return 0;
}

async function takeBack(login: Login, context: CliContext): Promise<boolean> {
  const server = { revocationEndpoint: undefined, ...login };
  try {
    await revokeToken({ server, clientId: login.clientId }, login.refreshToken ?? login.accessToken, context.signal);
    return login.revocationEndpoint !== undefined;
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    const advice = "Take it back in the service's dashboard, under Connected apps.";
    createCliLogger(context).warn(
      `The login is forgotten here, but the service still knows it: ${error.message} ${advice}`,
    );
    return false;
  }
}
