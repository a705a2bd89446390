import { z } from 'zod'
import type { TriggerKind } from '../../core/vocabulary/flows.ts'
import type { TriggerDefinition } from './trigger-design.ts'

const schema = z.object({ kind: z.literal('manual') })

/** The trigger for a start by a member. Spec: Flows › Triggers; reading F27. */
export const MANUAL = {
  schema,
  opensWindow: false,
  needsTemplateFirst: false,
  mayRunDuringStaffHandling: true,
  sets: () => [],
  issues: () => [],
  byMessage: null,
} satisfies TriggerDefinition<z.infer<typeof schema>>

/** Returns whether members start the flow of this trigger by hand. */
export function isManual({ kind }: { kind: TriggerKind }): boolean {
  return kind === 'manual'
}
