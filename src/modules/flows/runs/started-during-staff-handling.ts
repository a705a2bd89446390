import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'

/** A member started it while staff handled the conversation. A take-over after that ends it as any other. */
export function startedDuringStaffHandling(
  run: { triggerKind: TriggerKind; createdAt: Date },
  takenOverAt: Date | null,
): boolean {
  if (!TRIGGERS[run.triggerKind].startedDuringStaffHandling) return false
  return takenOverAt === null || takenOverAt <= run.createdAt
}
