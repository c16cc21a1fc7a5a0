export { ImprintError } from "./base/error.ts";
export { imprint, imprint as default } from "./integration/imprint.ts";
export type { ImprintOptions } from "./options/schema.ts";
