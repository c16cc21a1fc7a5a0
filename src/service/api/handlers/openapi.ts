import { renderOpenApi } from "../../../contract/openapi.ts";
import type { Addresses } from "../../resources/addresses.ts";
import type { Handlers } from "../call.ts";

const VERSION = "1";

type Document = ReturnType<typeof renderOpenApi>;

// Making one takes longer than any other answer, and everybody may ask for it.
const documents = new WeakMap<Addresses, Map<string, Document>>();

export const OPENAPI_HANDLERS = {
  async "openapi.get"({ context: { addresses }, routeSet }) {
    const known = documents.get(addresses) ?? new Map<string, Document>();
    documents.set(addresses, known);
    const options = { serverUrl: `${addresses.appUrl}/${routeSet}`, version: VERSION };
    const body = known.get(routeSet) ?? renderOpenApi(routeSet, options);
    known.set(routeSet, body);
    return { kind: "json", status: 200, body };
  },
} as const satisfies Handlers;
