import type { CliContext, ExitCode } from "../context.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { paintFor } from "../terminal.ts";
import { withApi } from "../with-api.ts";

/** `imprint dashboard`: a link that signs a browser in, for whoever has a key with all scopes. */
export async function dashboardCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const link = await withApi(flags, context, (api) => api.createSignInLink({ signal: context.signal }));
  const paint = paintFor(context.out, context.environment);
  context.out.write(
    flags.json === true
      ? `${JSON.stringify(link, undefined, 2)}\n`
      : `Open this in your browser. It signs in once, within 15 minutes:\n\n  ${paint("strong", link.url)}\n`,
  );
  return 0;
}
