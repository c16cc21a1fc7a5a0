import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../tools/house/sources.ts";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifests = ["package.json", "src/service/package.json"].map((path) => {
  return JSON.parse(readFileSync(join(REPOSITORY, path), "utf8")) as Manifest;
});
const decisions = readFileSync(join(REPOSITORY, "docs/decisions/0003-libraries.md"), "utf8");
const named = new Set([...decisions.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

it("the decisions explain every library", () => {
  const installed = manifests.flatMap((each) =>
    Object.keys({ ...each.dependencies, ...each.devDependencies, ...each.peerDependencies }),
  );
  expect(installed.filter((name) => !name.startsWith("@types/") && !named.has(name))).toEqual([]);
});

it("every version is exact, so that every npm version installs the same", () => {
  const versions = manifests.flatMap((each) => Object.entries({ ...each.dependencies, ...each.devDependencies }));
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});
