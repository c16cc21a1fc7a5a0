import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import type { Failed, Target } from "./errors.ts";
import type { RequestStage } from "./outcome.ts";

const CERTIFICATE =
  /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS_CERT)|^(?:HOSTNAME_MISMATCH|INVALID_CA)$/;
const NOT_HTTP = /^(?:HPE_|EPROTO|ERR_SSL|UND_ERR_HEADERS_OVERFLOW)/;

export interface NetworkContext {
  readonly target: Target;
  /** Host and port of the proxy, if any. */
  readonly proxy: string | undefined;
  /** Whether the connection wasn't established, so that nothing can have been sent. */
  readonly whileConnecting: boolean;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

/** Explains a network error. Only the code of the original error is kept. */
export function readNetworkError(thrown: unknown, context: NetworkContext): Failed {
  const code = systemCodeOf(thrown) ?? "UNKNOWN";
  const stage: RequestStage = isBeforeSending(thrown, { code, context }) ? "before-sending" : "on-the-way";
  if (thrown instanceof ImprintError) {
    return { error: thrown.code, hint: thrown.hint, facts: { message: thrown.message, stage, code } };
  }
  const refusal = context.proxy === undefined ? undefined : PROXY_REFUSAL.exec(messageOf(thrown))?.[1];
  if (refusal !== undefined) return refusedByProxy(refusal, context);
  return { ...explain({ code, context }), facts: { message: describe(thrown, { code, context }), stage, code } };
}

// undici reports the status of a proxy that refuses a request only in its message.
const PROXY_REFUSAL = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

function refusedByProxy(status: string, { proxy, target }: NetworkContext): Failed {
  const message = `The proxy ${proxy} refused ${target.request} to ${target.baseUrl} (${status}).`;
  const hint =
    status === "407"
      ? "Add the proxy's user name and password to its address: http://name:password@host:port."
      : PROXY_HINT;
  return { error: "SERVICE_UNREACHABLE", hint, facts: { message, stage: "before-sending", code: "ERR_PROXY_REFUSED" } };
}

const PROXY_HINT = "Check the proxy in HTTP_PROXY or HTTPS_PROXY; add the service to NO_PROXY to bypass the proxy.";

interface Known {
  readonly code: string;
  readonly context: NetworkContext;
}

function isBeforeSending(thrown: unknown, { code, context }: Known): boolean {
  if (context.whileConnecting) return true;
  if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|UND_ERR_CLOSED)$/.test(code)) {
    return true;
  }
  return (
    thrown instanceof Error && "syscall" in thrown && (thrown.syscall === "connect" || thrown.syscall === "getaddrinfo")
  );
}

function explain({ code, context }: Known): Omit<Failed, "facts"> {
  if (CERTIFICATE.test(code)) return { error: "SERVICE_UNREACHABLE", hint: certificateHint(code) };
  if (NOT_HTTP.test(code)) {
    const hint = `Check the port and the protocol (http or https) in ${context.target.baseUrl}.`;
    return { error: "SERVICE_WRONG_ADDRESS", hint };
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") return { error: "RESPONSE_UNREADABLE" };
  if (code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED") return { error: "ABORTED" };
  if (code === "UND_ERR_INVALID_ARG") return { error: "OPTIONS_INVALID" };
  return { error: "SERVICE_UNREACHABLE", ...(context.proxy === undefined ? {} : { hint: PROXY_HINT }) };
}

function certificateHint(code: string): string {
  if (code === "CERT_HAS_EXPIRED") return "Renew the certificate.";
  if (code === "CERT_NOT_YET_VALID") return "Check the clock of this machine.";
  if (/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code)) {
    return "Use the host name that the certificate is for.";
  }
  return "If it is self-signed or from a private authority, set NODE_EXTRA_CA_CERTS to its PEM file in the command's environment; .env is read too late.";
}

function describe(thrown: unknown, { code, context }: Known): string {
  const { target, proxy, timeoutMs, maxResponseBytes } = context;
  const { request } = target;
  const baseUrl = proxy === undefined ? target.baseUrl : `${target.baseUrl}, through the proxy ${proxy},`;
  const listener = proxy === undefined ? target.baseUrl : `${proxy}, the proxy for ${target.baseUrl}`;
  const seconds = `${timeoutMs / 1000} s`;
  if (CERTIFICATE.test(code)) return `The certificate of ${baseUrl} can't be verified (${code}).`;
  if (NOT_HTTP.test(code)) return `${baseUrl} doesn't respond with HTTP (${code}).`;
  switch (code) {
    case "ECONNREFUSED":
      return `Connection refused by ${listener} (${code}).`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The host name in ${listener} can't be resolved (${code}).`;
    case "UND_ERR_CONNECT_TIMEOUT":
      return `The connection to ${listener} timed out (${code}).`;
    case "UND_ERR_HEADERS_TIMEOUT":
      return `${baseUrl} didn't respond to ${request} within ${seconds}.`;
    case "UND_ERR_BODY_TIMEOUT":
      return `${baseUrl} stopped sending for ${seconds} during its response to ${request}.`;
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
      return `The response of ${baseUrl} to ${request} is larger than ${maxResponseBytes} bytes.`;
    case "UND_ERR_CLOSED":
    case "UND_ERR_DESTROYED":
      return `The client was closed before ${request} finished.`;
    case "UND_ERR_INVALID_ARG":
      return `${request} could not be sent: ${messageOf(thrown)}.`;
    default:
      return `The connection to ${baseUrl} broke during ${request} (${code}).`;
  }
}
