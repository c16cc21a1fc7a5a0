import type { Command } from "commander";
import type { CommandSetup } from "./account/define-commands.ts";
import type { LoginFlags } from "./commands/login.ts";
import { withTargetFlags, type PublishFlags } from "./shared-flags.ts";

/** `imprint login` and `imprint logout` */
export function addLogin(program: Command, { context, onExit }: CommandSetup): void {
  const login = program
    .command("login")
    .description("Log in at a service in the browser, to publish without an API key.")
    .option("--no-browser", "only show the address to open");
  withTargetFlags(login).action(async (flags: LoginFlags) => {
    const { loginCommand } = await import("./commands/login.ts");
    onExit(await loginCommand(flags, context));
  });
  const logout = program.command("logout").description("End the login at a service, here and there.");
  withTargetFlags(logout).action(async (flags: PublishFlags) => {
    const { logoutCommand } = await import("./commands/logout.ts");
    onExit(await logoutCommand(flags, context));
  });
}
