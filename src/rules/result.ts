/** The result of a rule that can refuse. `reason` is a stable code; the caller formats it for people. */
export type Result<Value, Reason extends string = string> =
  | { ok: true; value: Value }
  | { ok: false; reason: Reason }

/** Returns a successful result of a rule, with its value. */
export const accept = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value })

/** Returns a failed result of a rule, with its reason. */
export const refuse = <Reason extends string>(reason: Reason): { ok: false; reason: Reason } => ({
  ok: false,
  reason,
})
