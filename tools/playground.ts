// Builds the playground, publishes it to the embedded service and keeps the service running: `npm run playground`. With
// `--once`, exits after publishing, for CI.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const repository = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { once: { type: "boolean", default: false } } });

await run("astro", ["build", "--root", "playground"]);
if (!values.once) await run("node", ["dist/cli.js", "serve", "--data", "playground/.imprint"]);

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: repository,
      stdio: "inherit",
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
    });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (code === 0 || signal === "SIGINT") resolve();
      else process.exit(code ?? 1);
    });
  });
}
