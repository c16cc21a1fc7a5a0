import type { Body, Operation } from "../../contract/route.ts";
import type { ImprintApi, OperationRequest } from "../api.ts";
import type { Session } from "../session.ts";
import { encodeBody, encodeMultipart, jsonBody, type EncodedBody, type Part } from "../transport/body.ts";

/** Sends any operation as defined by the contract. */
export function createRequest(session: Session): ImprintApi["request"] {
  return async (operation, { parameters, query, fields = {}, file, signal } = {}) => {
    const { operationOf } = await import("../../contract/operations.ts");
    const { body, answers } = operationOf(operation);
    const { status, json, text } = await session.call(operation, {
      parameters,
      query,
      body: body === undefined ? undefined : encodeFields(body, { fields, file }),
      expects: hasJson(answers) ? "json" : "document",
      ifUnannounced: "send",
      signal,
    });
    return { status, json, text };
  };
}

function hasJson(answers: Operation["answers"]): boolean {
  return Object.values(answers).some(({ kind }) => kind !== "document" && kind !== "empty");
}

function encodeFields(
  body: Body,
  { fields, file }: Required<Pick<OperationRequest, "fields">> & Pick<OperationRequest, "file">,
): EncodedBody {
  if (body.kind === "json" || body.kind === "json-or-multipart") return jsonBody(fields);
  if (body.kind === "bundle") return encodeBody("application/x-tar", [file?.bytes ?? new Uint8Array()]);
  const texts = Object.entries(fields).map(([name, value]) => [name, textOf(value)] as const);
  if (body.kind === "form") {
    const form = new URLSearchParams(Object.fromEntries(texts));
    return encodeBody("application/x-www-form-urlencoded", [Buffer.from(form.toString())]);
  }
  const parts = texts.map(([name, text]): Part => {
    if (name !== body.file) return { kind: "field", name, text };
    return {
      kind: "file",
      name,
      fileName: `${name}.html`,
      contentType: "text/html",
      bytes: Buffer.from(text),
    };
  });
  if (file === undefined) return encodeMultipart(parts);
  const { name: fileName, contentType, bytes } = file;
  return encodeMultipart([...parts, { kind: "file", name: body.file, fileName, contentType, bytes }]);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
