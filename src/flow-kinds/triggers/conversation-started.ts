import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import type { TriggerDefinition } from './trigger-design.ts'

const schema = z.object({ kind: z.literal('conversation_started') })

/** The trigger for a customer's first message. Spec: Flows › Triggers; reading F23. */
export const CONVERSATION_STARTED = {
  schema,
  opensWindow: true,
  needsTemplateFirst: false,
  mayRunDuringStaffHandling: false,
  sets: () => [],
  issues: (_, { others }) =>
    others
      .filter(({ kind }) => kind === 'conversation_started')
      .slice(0, 1)
      .map(({ flowName }) => ({
        rule: 'trigger_unique',
        fact: fact('trigger_first_message_taken', { flow: flowName }),
        isWarning: false,
      })),
  byMessage: {
    precedence: 3,
    isExclusive: true,
    entriesOf: () => [{ key: '', phrase: '', isExact: true, interrupts: false }],
    keysOf: ({ isFirst }) => (isFirst ? [''] : []),
    fit: () => ({ rank: 0, waitingRun: 'gets_it' }),
  },
} satisfies TriggerDefinition<z.infer<typeof schema>>
