import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'

/**
 * Returns whether a run may continue although staff handles the conversation: its trigger allows that, and it was
 * started after the takeover. A later takeover ends it like any other run.
 */
export function mayRunDuringStaffHandling(
  run: { triggerKind: TriggerKind; createdAt: Date },
  takenOverAt: Date | null,
): boolean {
  if (!TRIGGERS[run.triggerKind].mayRunDuringStaffHandling) return false
  return takenOverAt === null || takenOverAt <= run.createdAt
}
