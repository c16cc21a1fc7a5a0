import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const read = <Content>(path: string): Content => JSON.parse(readFileSync(new URL(path, repository), "utf8"));
const repository = new URL("../../", import.meta.url);
const { packages: locked } = read<{ packages: Readonly<Record<string, Locked>> }>("package-lock.json");

const publisher = read<Manifest>("package.json");
const service = read<Manifest>("src/service/package.json");

/** The folders that npm would install for some dependencies on Linux, according to the lock file. */
function installedFor(dependencies: Readonly<Record<string, string>>): ReadonlySet<string> {
  const found = new Set(Object.keys(dependencies).map((name) => `node_modules/${name}`));
  for (const folder of found) {
    const { dependencies: needed = {}, optionalDependencies: wanted = {} } = locked[folder] ?? {};
    for (const name of Object.keys({ ...needed, ...wanted })) {
      const place = placesFor(name, folder).find((each) => locked[each] !== undefined);
      if (place !== undefined && isForLinux(locked[place])) found.add(place);
    }
  }
  return found;
}

/** Where Node looks for a package, from nearest to farthest. */
function placesFor(name: string, folder: string): readonly string[] {
  const parent = folder.lastIndexOf("/node_modules/");
  const above = parent === -1 ? [`node_modules/${name}`] : placesFor(name, folder.slice(0, parent));
  return [`${folder}/node_modules/${name}`, ...above];
}

function isForLinux({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Locked = {}): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}

/** The packages that built code and its types import, in any way. */
function packagesIn(folder: string): ReadonlySet<string> {
  const names = readdirSync(new URL(folder, repository)).filter((name) => /\.(?:js|d\.ts)$/.test(name));
  const found = names.flatMap((name) => {
    const text = readFileSync(new URL(`${folder}/${name}`, repository), "utf8");
    return [
      ...text.matchAll(/(?:^import |^(?:import|export) [^;"]* from |\bimport\(|\brequire[$\d]*\()"([^"./][^":]*)"/gm),
    ];
  });
  const packages = found.map(([, specifier = ""]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "");
  return new Set(packages.filter((name) => !builtinModules.includes(name)));
}

describe.each([
  // Generated into a module of the user's build, and in the lock file of users with their own service.
  { folder: "dist", manifest: publisher, strangers: ["astro", "astro-imprint-service"] },
  { folder: "src/service/dist", manifest: service, strangers: ["acme-client"] },
])("the dependencies of $folder", ({ folder, manifest, strangers }) => {
  it("are in its manifest, and nothing else is", () => {
    const used = [...packagesIn(folder)].filter((name) => !strangers.includes(name));
    expect(used.toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted());
  });
});

it("both packages have few dependencies", () => {
  expect(installedFor(publisher.dependencies).size + 1).toBeLessThanOrEqual(50);
  const both = installedFor({ ...publisher.dependencies, ...service.dependencies });
  expect(both.size + 2).toBeLessThanOrEqual(130);
});

it("both packages have one version, and the same version of shared dependencies", () => {
  expect(service.version).toBe(publisher.version);
  expect(publisher.peerDependencies?.["astro-imprint-service"]).toBe(service.version);
  const shared = Object.entries(service.dependencies).filter(([name]) => name in publisher.dependencies);
  expect(shared.filter(([name, version]) => publisher.dependencies[name] !== version)).toEqual([]);
});
