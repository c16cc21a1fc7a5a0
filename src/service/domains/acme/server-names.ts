import { createSecureContext, type SecureContext } from "node:tls";
import { findCertificateFiles } from "../../store/certificates.ts";
import type { Database } from "../../store/tables.ts";

/** Finds what a TLS server shows for a name that a visitor asks for; `undefined`: there is no certificate for it. */
export type FindContext = (servername: string) => Promise<SecureContext | undefined>;

const MAX_CONTEXTS = 1_000;

/**
 * Reads the certificate from the database for each connection, since another process may have renewed it, or its owner
 * may have removed the domain; only what it takes long to make of it is remembered.
 */
export function createContextFinder(database: Database): FindContext {
  const contexts = new Map<string, { readonly chain: string; readonly context: SecureContext }>();
  return async (servername) => {
    const name = servername.toLowerCase();
    const files = await findCertificateFiles(database, name);
    if (files === undefined) return undefined;
    const { chain, privateKey } = files;
    const known = contexts.get(name);
    if (known?.chain === chain) return known.context;
    const context = createSecureContext({ key: privateKey, cert: chain });
    if (contexts.size >= MAX_CONTEXTS) contexts.clear();
    contexts.set(name, { chain, context });
    return context;
  };
}
