import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { ProjectFiles } from "../contract/project-files.ts";
import { parseOptions } from "../options/parse-options.ts";
import { withFoundFolder } from "../posts/read/collection-folder.ts";
import type { CliContext } from "./context.ts";
import { readProject } from "./project.ts";
import { readHosting, type HostingFlags } from "./serve-flags.ts";

/**
 * Opens the posts of the project in which a service is started, for its dashboard. Returns `undefined` if other
 * machines can reach the service, or if there is no project or no folder of posts.
 */
export async function findProjectFiles(
  flags: HostingFlags & { readonly strict?: boolean },
  context: CliContext,
  logger: Logger,
): Promise<ProjectFiles | undefined> {
  const { hostname = "localhost", appUrl } = readHosting(flags, context.environment);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(hostname) && appUrl === undefined;
  if (!isLocal || flags.strict === true) return undefined;
  try {
    const { root, configFile, options } = await readProject(context.cwd);
    if (configFile === undefined) return undefined;
    const { posts } = withFoundFolder(parseOptions({ posts: {}, ...options }), root);
    if (posts === false) return undefined;
    const { openProjectFiles } = await import("../posts/edit/project-files.ts");
    return await openProjectFiles({ root, ...posts });
  } catch (error) {
    // A service also runs without the project.
    logger.warn(`The dashboard doesn't show the project's posts: ${messageOf(error)}`);
    return undefined;
  }
}
