import { expect, it } from "vitest";
import { paintFor } from "../../src/cli/terminal.ts";

const write = () => {};

it.each<[string, NodeJS.ProcessEnv, string]>([
  ["prints colors on a terminal", {}, "\u001b[32mdone\u001b[39m"],
  ["prints no colors with NO_COLOR", { NO_COLOR: "1" }, "done"],
  ["prints no colors in a CI, even if it has a terminal", { CI: "true" }, "done"],
  ["prints no colors in Jenkins", { JENKINS_URL: "http://ci/" }, "done"],
  ["prints colors if CI is set to false", { CI: "false" }, "\u001b[32mdone\u001b[39m"],
  ["prints colors in a CI on request", { CI: "true", FORCE_COLOR: "1" }, "\u001b[32mdone\u001b[39m"],
])("%s", (_, environment, expected) => {
  expect(paintFor({ isTTY: true, write }, environment)("good", "done")).toBe(expected);
});
