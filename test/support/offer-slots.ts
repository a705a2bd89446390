import { createSlotLister, type SlotInputs } from '../../src/rules/appointments/slots.ts'

/** Returns the starts that are offered from `from` on and before `to`. */
export function offerSlots(facts: SlotInputs, range: { from: Date; to: Date }): Date[] {
  return createSlotLister(facts, range)(range)
}
