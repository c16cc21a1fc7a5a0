import type { CliContext, ExitCode } from "../context.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { requireOperation } from "../require-operation.ts";
import { paintFor } from "../terminal.ts";
import { withApi } from "../with-api.ts";

/** `imprint dashboard`: a link that signs a browser in, for whoever has a key with all scopes. */
export async function dashboardCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const link = await withApi(flags, context, (api) => {
    requireOperation(api, {
      operation: "signInLinks.create",
      deed: "make a link to a dashboard for this key",
      hint: "Use a key with all scopes, or sign in with the link that `imprint serve` shows.",
    });
    return api.createSignInLink({ signal: context.signal });
  });
  const paint = paintFor(context.out, context.environment);
  context.out.write(
    flags.json === true
      ? `${JSON.stringify(link, undefined, 2)}\n`
      : `Open this in your browser. It signs in once, within 15 minutes:\n\n  ${paint("strong", link.url)}\n`,
  );
  return 0;
}
