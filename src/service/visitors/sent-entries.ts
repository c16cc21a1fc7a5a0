import { ProblemError } from "../http/problem.ts";
import type { SentEntry } from "../resources/submissions.ts";

/**
 * The fields of a form as a browser encodes them. Throws `unsupported_media_type`, also for a file, or
 * `malformed_body`.
 */
export async function parseEntries(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<readonly SentEntry[]> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded" && type !== "multipart/form-data") {
    throw new ProblemError("unsupported_media_type", {
      detail: "Send the form as application/x-www-form-urlencoded or multipart/form-data.",
    });
  }
  if (type === "application/x-www-form-urlencoded") {
    return [...new URLSearchParams(new TextDecoder().decode(bytes))];
  }
  return [...(await parseMultipart(bytes, contentType))].flatMap(([name, value]) => {
    if (typeof value === "string") return [[name, value] as const];
    // An input for files that was left empty is sent as a file without a name.
    if (value.name === "" && value.size === 0) return [];
    throw new ProblemError("unsupported_media_type", { detail: "Files can't be sent through this form." });
  });
}

async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch (error) {
    throw new ProblemError("malformed_body", { detail: "The form is not valid multipart/form-data.", cause: error });
  }
}
