import type { Visit } from "../client/api.ts";

// Pages that ask programs, not readers, to prove themselves.
const ROBOT_CHECK = /\bcf-chl|challenge-platform|<title>\s*(?:Just a moment|Attention Required|Checking your browser)/i;

/** What keeps programs from seeing a page that readers see, if anything. */
export function describeObstacle(visit: Visit | undefined): string | undefined {
  if (visit === undefined) return undefined;
  const obstacle = nameObstacle(visit.status, () => new TextDecoder().decode(visit.bytes));
  return obstacle === undefined ? undefined : `answers ${obstacle}`;
}

/** Names a response that only programs get: `403 with a check for robots`. */
export function nameObstacle(status: number, readText: () => string): string | undefined {
  if (status === 429) return "429 (too many requests)";
  return (status === 403 || status === 503) && ROBOT_CHECK.test(readText())
    ? `${status} with a check for robots`
    : undefined;
}
