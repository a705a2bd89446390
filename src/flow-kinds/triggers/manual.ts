import { z } from 'zod'
import type { TriggerKind } from '../../vocabulary/flows.ts'
import type { TriggerDesign } from './trigger-design.ts'

const schema = z.object({ kind: z.literal('manual') })

/** A member starts it for a customer. Spec: Flows › Triggers; reading F27. */
export const MANUAL = {
  schema,
  opensWindow: false,
  needsTemplateFirst: false,
  isBesideStaff: true,
  sets: () => [],
  faults: () => [],
  byMessage: null,
} satisfies TriggerDesign<z.infer<typeof schema>>

export function isManual({ kind }: { kind: TriggerKind }): boolean {
  return kind === 'manual'
}
