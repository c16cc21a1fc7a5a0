export { createService } from "./service/create-service.ts";
export { startService } from "./service/start-service.ts";
export type { Fault, FaultPlan, FaultRule } from "./service/development/fault-rules.ts";
export type { RequestLogEntry } from "./service/development/request-log.ts";
export type { RateLimit, ServiceOptions } from "./service/options.ts";
export type { Plan } from "./service/resources/plan.ts";
export type { ListPaging, Quirks, RepeatedPost } from "./service/resources/quirks.ts";
export type { CreatedKey, KeyOptions, Service } from "./service/handle.ts";
export type { RunningService, StartOptions } from "./service/start-service.ts";
