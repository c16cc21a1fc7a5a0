import { ACCOUNT_OPERATIONS } from "./operations/account.ts";
import { CONTENT_OPERATIONS } from "./operations/content.ts";
import { VISITOR_OPERATIONS } from "./operations/visitors.ts";

/**
 * Every operation of the two route sets and of our extensions, under one name wherever a set puts it. Requests and
 * answers that the specification does not show are decided in docs/service-api.md.
 */
export const OPERATIONS = { ...CONTENT_OPERATIONS, ...VISITOR_OPERATIONS, ...ACCOUNT_OPERATIONS } as const;

export type OperationName = keyof typeof OPERATIONS;
