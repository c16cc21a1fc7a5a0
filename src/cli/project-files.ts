import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { ProjectFiles } from "../contract/project-files.ts";
import { withFoundFolder } from "../posts/read/collection-folder.ts";
import type { CliContext } from "./context.ts";
import { readHosting, type HostingFlags } from "./serve-flags.ts";
import type { ServedProject } from "./served-project.ts";

/**
 * Opens the posts of the project in which a service is started, for its dashboard. Returns `undefined` if other
 * machines can reach the service, or if there is no folder of posts.
 */
export async function findProjectFiles(
  { root, options }: ServedProject,
  flags: HostingFlags & { readonly strict?: boolean },
  { environment, logger }: Pick<CliContext, "environment"> & { readonly logger: Logger },
): Promise<ProjectFiles | undefined> {
  const { hostname = "localhost", appUrl } = readHosting(flags, environment);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(hostname) && appUrl === undefined;
  if (!isLocal || flags.strict === true) return undefined;
  try {
    const { posts } = withFoundFolder(options, root);
    if (posts === false) return undefined;
    const { openProjectFiles } = await import("../posts/edit/project-files.ts");
    return await openProjectFiles({ root, ...posts });
  } catch (error) {
    // A service also runs without the project.
    logger.warn(`The dashboard doesn't show the project's posts: ${messageOf(error)}`);
    return undefined;
  }
}
