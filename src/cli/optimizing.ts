const SHORT_MS = 1000;
const LOOK_MS = 100;

const CHOSEN = /--(?:no-)?(?:jitless|maglev|opt|turbofan)\b/;

/**
 * Puts off V8's optimizing compilers until the process has worked for a while. They compile what ran a few hundred
 * times, on threads of their own; most commands end before that pays, and spent a fifth of their processor time on it.
 * For processes of our own alone, unless who started them chose the compilers.
 *
 * @param forMs how much processor time, in milliseconds; default: a second
 */
export function putOffOptimizing(forMs = SHORT_MS): void {
  if (CHOSEN.test([...process.execArgv, process.env["NODE_OPTIONS"]].join(" "))) return;
  const compilers = hasMaglev() ? ["turbofan", "maglev"] : ["turbofan"];
  // Loaded with the first command that does more than show its version.
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const name of compilers) setFlagsFromString(`--no-${name}`);
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (user + system < forMs * 1000) return;
    clearInterval(timer);
    for (const name of compilers) setFlagsFromString(`--${name}`);
  }, LOOK_MS).unref();
}

// Node 22 has switched Maglev off for its faults, and not every processor has it.
function hasMaglev(): boolean {
  const { v8_enable_maglev: isBuilt }: Readonly<Record<string, unknown>> = Object(process.config.variables);
  return isBuilt === 1 && Number.parseInt(process.versions.node, 10) >= 24;
}
