import type { ImprintApi } from "../client/api.ts";
import { connect } from "../client/connect.ts";
import type { Target } from "../publish.ts";
import type { CliContext } from "./context.ts";
import type { PublishFlags } from "./shared-flags.ts";
import { withProject } from "./with-project.ts";

/** Connects to the service that flags, project and environment name, for as long as the work takes. */
export async function withApi<Result>(
  flags: PublishFlags,
  context: CliContext,
  work: (api: ImprintApi, target: Target) => Promise<Result>,
): Promise<Result> {
  return withProject({ flags }, context, async ({ target, signal }) => {
    const api = await connect({ ...target, signal });
    try {
      return await work(api, target);
    } finally {
      await api.close();
    }
  });
}
