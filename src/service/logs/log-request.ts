import type { Logger } from "../../base/log.ts";
import type { AnsweredRequest } from "./answered-request.ts";
import { redactSecrets } from "./redact.ts";

/**
 * Tells a logger of a request. Failures of the service are errors, everything else is information: a refused request
 * is the caller's trouble and nobody has to be woken for it.
 */
export function logRequest(logger: Logger, request: AnsweredRequest): void {
  const { method, status } = request;
  const path = redactSecrets(request.path);
  const level = status >= 500 && status !== 503 ? "error" : "info";
  logger[level](`${method} ${path} ${status === 0 ? "no answer" : status}`, {
    event: "request",
    ...{ method, path, status },
    ms: Math.round(request.ms * 10) / 10,
    requestId: redactSecrets(request.requestId),
    routeSet: request.routeSet,
    operation: request.operation,
    keyId: request.keyId,
    problem: request.problem,
    ...(request.warnings.length > 0 && { warnings: request.warnings.map(redactSecrets) }),
  });
}
