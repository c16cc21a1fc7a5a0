import { spawn } from "node:child_process";

/**
 * Asks the system to open an address in the person's browser. Whether that worked can't be known, so the address has to
 * be shown as well.
 */
export function openBrowser(address: string): void {
  const [program, ...args] = commandFor(process.platform, address);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  // A machine without a desktop has no such program.
  child.on("error", () => {});
  child.unref();
}

function commandFor(platform: NodeJS.Platform, address: string): [string, ...string[]] {
  if (platform === "darwin") return ["open", address];
  // `start` is a word of cmd.exe, which would take & for the end of the command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}
