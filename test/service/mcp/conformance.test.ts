import { expect, it } from "vitest";
import { openFixture, openProduct } from "../../../tools/conformance/backends.ts";
import { runSuite } from "../../../tools/conformance/run-suite.ts";
import { openSubject } from "../../../tools/conformance/subject.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const revision = "2026-07-28";

it("passes all required checks with its own tools", async () => {
  const subject = await openSubject(openProduct);
  const outcome = await runSuite({ url: subject.url, revision, baseline: undefined, results: await temporaryFolder() });
  await subject.close();
  expect(outcome.passed).toEqual(
    expect.arrayContaining(["tools-list", "resources-list", "sep-2164-resource-not-found", "dns-rebinding-protection"]),
  );
});

it("passes every check with the tools that the suite expects", async () => {
  const subject = await openSubject(openFixture);
  const outcome = await runSuite({ url: subject.url, revision, baseline: undefined, results: await temporaryFolder() });
  await subject.close();
  expect(outcome.unexpected.filter((name) => !name.startsWith("tasks-"))).toEqual([]);
  expect(outcome.passed.length).toBe(37);
});
