import { renderPlaceholder, textDataAddress } from "../../html/placeholders.ts";
import { withoutQuotes, type Placed } from "./script-files.ts";
import type { Script } from "./scripts.ts";
import type { RewriteTools } from "./text-context.ts";

interface WorkerPlace {
  readonly usedIn: string;
  readonly where: "library" | "data";
}

export interface Workers {
  /** Places a module of a worker; `undefined` for one that is being read, since it imports itself in a cycle. */
  placeModule(path: string, place: WorkerPlace): Placed | undefined;
  /** Places the script of a worker, which finds all of its modules. */
  place(path: string, place: WorkerPlace): Placed | undefined;
}

/** Creates the scripts of workers. These have no import map, so they contain absolute addresses of what they import. */
export function createWorkers(tools: RewriteTools, read: (path: string, usedIn: string) => Script): Workers {
  const open = new Set<string>();

  function placeModule(path: string, place: WorkerPlace): Placed | undefined {
    if (open.has(path)) return undefined;
    open.add(path);
    const script = read(path, place.usedIn);
    open.delete(path);
    return { ...script, ...placeText(path, script, place) };
  }

  function placeText(
    path: string,
    { text, assets }: Pick<Script, "text" | "assets">,
    { usedIn, where }: WorkerPlace,
  ): Pick<Placed, "address" | "assets"> {
    if (where === "data") return { address: textDataAddress("text/javascript", text), assets };
    const asset = tools.assets.fromText(text, { path, kind: "script", assets, usedIn });
    return { address: renderPlaceholder(asset.hash), assets: [asset, ...assets] };
  }

  /** Modules that import each other get their addresses once all are known, from a script that runs before them. */
  function place(path: string, wanted: WorkerPlace): Placed | undefined {
    const alone = placeModule(path, wanted);
    if (alone?.late === undefined || alone.late.length === 0) return alone;
    const modulePlace: WorkerPlace = { ...wanted, where: tools.settings.placement.scripts };
    const entry = placeModule(path, modulePlace) ?? alone;
    const late = placeLate(alone.late, modulePlace);
    if (late === undefined) return undefined;
    const addresses = Object.fromEntries([...late].map(([name, { address }]) => [name, withoutQuotes(address)]));
    const table = textDataAddress("text/javascript", `self.imprintModules=${JSON.stringify(addresses)}`);
    const text = `import "${withoutQuotes(table)}";import "${withoutQuotes(entry.address)}"`;
    const all = [entry, ...late.values()];
    const start = path.replace(/(?=\.\w+$)/, ".start");
    return {
      ...placeText(start, { text, assets: all.flatMap(({ assets }) => assets) }, wanted),
      warnings: all.flatMap(({ warnings }) => warnings ?? []),
    };
  }

  function placeLate(paths: readonly string[], modulePlace: WorkerPlace): ReadonlyMap<string, Placed> | undefined {
    const placed = new Map<string, Placed>();
    const wanted = new Set(paths);
    for (const path of wanted) {
      const module = placeModule(path, modulePlace);
      if (module === undefined) return undefined;
      placed.set(path, module);
      for (const next of module.late ?? []) wanted.add(next);
    }
    return placed;
  }

  return { placeModule, place };
}
