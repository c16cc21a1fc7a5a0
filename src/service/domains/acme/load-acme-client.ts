import { ImprintError, systemCodeOf } from "../../../base/error.ts";

export type AcmeLibrary = Pick<typeof import("acme-client"), "Client" | "crypto">;

/** Loads the optional package that speaks ACME; throws `OPTIONS_INVALID` where it is not installed. */
export async function loadAcmeClient(): Promise<AcmeLibrary> {
  try {
    return await import("acme-client");
  } catch (error) {
    if (systemCodeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ImprintError("OPTIONS_INVALID", "`acme` needs the package acme-client, which is not installed.", {
      cause: error,
      hint: "Run `npm install acme-client`, or leave `acme` out.",
    });
  }
}
