import type { CliContext, ExitCode } from "../context.ts";
import { requireOperation } from "../require-operation.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { paintFor } from "../terminal.ts";
import { withApi } from "../with-api.ts";

/** `imprint dashboard`: a link that signs a browser in, for whoever has a key with all scopes. */
export async function dashboardCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { link, isEmbedded } = await withApi(flags, context, async (api, { identity }) => {
    requireOperation(api, {
      operation: "signInLinks.create",
      deed: "make a link to a dashboard for this key",
      hint: "Use a key with all scopes, or sign in with the link that `imprint serve` shows.",
    });
    const made = await api.createSignInLink({ signal: context.signal });
    return { link: made, isEmbedded: identity.startsWith("embedded:") };
  });
  const paint = paintFor(context.out, context.environment);
  context.out.write(
    flags.json === true
      ? `${JSON.stringify(link, undefined, 2)}\n`
      : `Open this in your browser. It signs in once, within 15 minutes:\n\n  ${paint("strong", link.url)}\n`,
  );
  if (isEmbedded && flags.json !== true) context.out.write(paint("dim", "\n  It opens while `imprint serve` runs.\n"));
  return 0;
}
