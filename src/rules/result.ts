/** What a rule that can refuse answers. `reason` is a stable code; the words for people live with the caller. */
export type Result<Value, Reason extends string = string> =
  | { ok: true; value: Value }
  | { ok: false; reason: Reason }

export const accept = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value })

export const refuse = <Reason extends string>(reason: Reason): { ok: false; reason: Reason } => ({
  ok: false,
  reason,
})
