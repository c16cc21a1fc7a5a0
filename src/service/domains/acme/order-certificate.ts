import { X509Certificate } from "node:crypto";
import { deleteChallenge, findAcmeKey, saveAcmeKey, saveChallenge } from "../../store/acme.ts";
import type { IssuedCertificate } from "../../store/certificates.ts";
import type { Database } from "../../store/tables.ts";
import type { AcmeSettings } from "../domain-options.ts";
import type { AcmeLibrary } from "./load-acme-client.ts";

export interface OrderOptions {
  readonly library: AcmeLibrary;
  readonly database: Database;
  readonly acme: AcmeSettings;
  readonly now: () => Date;
}

// The usual time to renew: it leaves a third of a certificate's life for whatever goes wrong.
const SHARE_OF_LIFE = 2 / 3;
// An authority whose clock goes wrong must not be asked again and again.
const SOONEST_MS = 60 * 60 * 1000;

/**
 * Orders a certificate for a domain. The authority asks the host of the pages for a proof, which any process on this
 * database can give. Throws what the authority or the network says.
 */
export async function orderCertificate(
  { domainId, name }: { readonly domainId: string; readonly name: string },
  options: OrderOptions,
): Promise<IssuedCertificate> {
  const { library, database, acme } = options;
  const { email, directoryUrl } = acme;
  const accountKey = await ensureAccountKey(options);
  const client = new library.Client({ directoryUrl, accountKey });
  const [key, request] = await library.crypto.createCsr(
    { commonName: name, altNames: [name] },
    await library.crypto.createPrivateEcdsaKey("P-256"),
  );
  const chain = await client.auto({
    ...{ csr: request, email, termsOfServiceAgreed: acme.agree, challengePriority: ["http-01"] },
    // The service may not reach itself by its public name.
    skipChallengeVerification: true,
    challengeCreateFn: (_, { token }, answer) => saveChallenge(database, { domainId, token, answer }),
    challengeRemoveFn: (_, { token }) => deleteChallenge(database, token),
  });
  return { privateKey: key.toString("utf8"), chain, ...describe(chain, options.now()) };
}

async function ensureAccountKey({ library, database, acme, now }: OrderOptions): Promise<string> {
  const { directoryUrl: directory } = acme;
  const known = await findAcmeKey(database, directory);
  if (known !== undefined) return known;
  const privateKey = (await library.crypto.createPrivateEcdsaKey("P-256")).toString("utf8");
  await saveAcmeKey(database, { directory, privateKey, now: now() });
  return (await findAcmeKey(database, directory)) ?? privateKey;
}

function describe(
  chain: string,
  now: Date,
): Pick<IssuedCertificate, "issuer" | "issuedAt" | "expiresAt" | "nextOrderAt"> {
  const certificate = new X509Certificate(chain);
  const [issuedAt, expiresAt] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  const lifeMs = expiresAt.getTime() - issuedAt.getTime();
  const issuer = /^O=(.+)$/m.exec(certificate.issuer)?.[1] ?? /^CN=(.+)$/m.exec(certificate.issuer)?.[1];
  return {
    issuer: issuer ?? "unknown",
    issuedAt,
    expiresAt,
    nextOrderAt: new Date(Math.max(issuedAt.getTime() + lifeMs * SHARE_OF_LIFE, now.getTime() + SOONEST_MS)),
  };
}
