import { expect } from "vitest";
import type { Stranger } from "../../strangers/host.ts";
import { writesAt, type Project, type Ran } from "./project.ts";

interface Reported {
  /** What the first run and later ones say. */
  readonly first: string;
  readonly later: string;
}

/**
 * Checks that a post of which readers don't see all is reported in each run, also without `.imprint/`, and never sent
 * again, until its author accepts it. Returns the first run.
 */
export async function expectReportedUntilAccepted(
  { stranger, run, loseState }: Project & { readonly stranger: Stranger },
  slug: string,
  { first: said, later }: Reported,
): Promise<Ran> {
  const first = await run("publish", "--accept");
  expect(first).toMatchObject({ code: 1, said: expect.stringContaining(said) });
  const sent = stranger.world.log.length;
  for (const kind of ["unchanged", "forgetful"]) {
    if (kind === "forgetful") await loseState();
    expect({ kind, ...(await run("publish")) }).toMatchObject({ kind, code: 1, said: expect.stringContaining(later) });
  }
  expect(writesAt(stranger.world, sent)).toEqual([]);
  expect(await run("posts", "ack", slug)).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  return first;
}
