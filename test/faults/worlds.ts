import type { RouteSetName } from "../../src/client.ts";

/** One service that a site can be published to. */
export interface World {
  /** Display name: `A strict`. */
  readonly name: string;
  readonly routeSet: RouteSetName;
  /** Whether the service's responses contain only what the specification defines. */
  readonly strict: boolean;
}

export const WORLDS: readonly World[] = [
  { name: "A strict", routeSet: "a", strict: true },
  { name: "A full", routeSet: "a", strict: false },
  { name: "B strict", routeSet: "b", strict: true },
  { name: "B full", routeSet: "b", strict: false },
];

declare module "vitest" {
  interface ProvidedContext {
    readonly world: World;
  }
}
