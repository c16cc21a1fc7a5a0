import { expect, it } from "vitest";
import { paintFor } from "../../src/cli/terminal.ts";

const write = () => {};

it.each<[string, NodeJS.ProcessEnv, string]>([
  ["colors on a terminal", {}, "\u001b[32mdone\u001b[39m"],
  ["leaves the colors out where NO_COLOR is set", { NO_COLOR: "1" }, "done"],
  ["leaves the colors out in a CI, though it gives a terminal", { CI: "true" }, "done"],
  ["leaves the colors out in Jenkins", { JENKINS_URL: "http://ci/" }, "done"],
  ["colors where CI says that it is none", { CI: "false" }, "\u001b[32mdone\u001b[39m"],
  ["colors a CI where it is asked for", { CI: "true", FORCE_COLOR: "1" }, "\u001b[32mdone\u001b[39m"],
])("%s", (_, environment, expected) => {
  expect(paintFor({ isTTY: true, write }, environment)("good", "done")).toBe(expected);
});
