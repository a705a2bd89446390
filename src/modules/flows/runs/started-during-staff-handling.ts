import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'

/**
 * Returns whether a member started the run while staff handled the conversation. A later takeover ends it like any
 * other.
 */
export function startedDuringStaffHandling(
  run: { triggerKind: TriggerKind; createdAt: Date },
  takenOverAt: Date | null,
): boolean {
  if (!TRIGGERS[run.triggerKind].startedDuringStaffHandling) return false
  return takenOverAt === null || takenOverAt <= run.createdAt
}
