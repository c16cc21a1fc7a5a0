// Runs the conformance suite of the Model Context Protocol against the service: `npm run conformance`. The product is
// the service itself; the fixture is the same endpoint with the tools that the suite expects.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAuthorization } from "./conformance/authorization.ts";
import { openFixture, openProduct } from "./conformance/backends.ts";
import { runSuite } from "./conformance/run-suite.ts";
import { openSubject, type Backend } from "./conformance/subject.ts";

interface Leg {
  readonly name: string;
  readonly revision: string;
  readonly open: (appUrl: string) => Promise<Backend>;
  /** File of expected failures, each with its reason. */
  readonly expected?: string;
}

const LEGS: readonly Leg[] = [
  { name: "product", revision: "2026-07-28", open: openProduct, expected: "product.yml" },
  { name: "fixture", revision: "2026-07-28", open: openFixture },
  { name: "fixture", revision: "2025-11-25", open: openFixture, expected: "fixture-2025-11-25.yml" },
];

const results = await mkdtemp(join(tmpdir(), "imprint-conformance-"));
try {
  for (const leg of LEGS) process.exitCode = Math.max(Number(process.exitCode ?? 0), await run(leg));
  process.exitCode = Math.max(Number(process.exitCode), await runAuthorizationServer("2026-07-28"));
} finally {
  await rm(results, { recursive: true, force: true });
}

async function run({ name, revision, open, expected }: Leg): Promise<number> {
  const subject = await openSubject(open);
  const baseline = expected && fileURLToPath(new URL(`conformance/${expected}`, import.meta.url));
  try {
    const outcome = await runSuite({ url: subject.url, revision, baseline, results });
    const { passed, expectedFailures, unexpected, other, checksPassed, exitCode } = outcome;
    const counts = [
      `${passed.length} required scenarios pass`,
      `${expectedFailures.length} can't, for a reason`,
      `${unexpected.length} fail`,
    ];
    console.log(`${name}, ${revision}: ${counts.join(", ")}; ${checksPassed} checks pass`);
    if (other.length > 0) console.log(`  not required: ${other.join(", ")}`);
    for (const scenario of unexpected) console.log(`  FAILS: ${scenario}`);
    if (exitCode !== 0 && unexpected.length === 0) console.log(outcome.output);
    return unexpected.length === 0 ? exitCode : 1;
  } finally {
    await subject.close();
  }
}

async function runAuthorizationServer(revision: string): Promise<number> {
  const { passed, failed, checksPassed, exitCode, output } = await runAuthorization({ revision, results });
  const counts = `${passed.length} scenarios pass, ${failed.length} fail; ${checksPassed} checks pass`;
  console.log(`authorization server, ${revision}: ${counts}`);
  if (failed.length === 0 && exitCode === 0) return 0;
  console.log(output);
  return 1;
}
