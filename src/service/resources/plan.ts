/** What an account has paid for. */
export type Plan = "trial" | "grow" | "pro";
