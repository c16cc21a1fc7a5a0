import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

it("exits without an error if its output pipe is closed", async () => {
  const command = spawn(process.execPath, [program, "explain", "hosts"], { stdio: ["ignore", "pipe", "pipe"] });
  command.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  expect({ errors, code }).toEqual({ errors: "", code: 0 });
});
