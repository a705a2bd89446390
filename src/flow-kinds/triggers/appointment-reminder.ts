import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { REMINDER_LIMITS } from '../../core/limits/appointments.ts'
import { APPOINTMENT_VARIABLES } from '../../rules/appointments/appointment-values.ts'
import { CAPABILITIES } from '../../rules/messaging/channel-capabilities.ts'
import type { TriggerDefinition } from './trigger-design.ts'

const schema = z.object({
  kind: z.literal('appointment_reminder'),
  /** Elapsed minutes before the start. */
  minutesBefore: z
    .number()
    .int()
    .min(REMINDER_LIMITS.minMinutesBefore)
    .max(REMINDER_LIMITS.minutesBefore),
})

/** The trigger for the time before an appointment. Spec: Flows › Triggers; reading F41. */
export const APPOINTMENT_REMINDER = {
  schema,
  opensWindow: false,
  needsTemplateFirst: true,
  mayRunDuringStaffHandling: true,
  sets: () => [...APPOINTMENT_VARIABLES],
  remindsBeforeMin: ({ minutesBefore }) => minutesBefore,
  issues: (_, { channelType }) =>
    channelType !== null && !CAPABILITIES[channelType].startsConversations
      ? [
          {
            rule: 'channel_type',
            fact: fact('trigger_cannot_begin', { channelType }),
            isWarning: false,
          },
        ]
      : [],
  byMessage: null,
} satisfies TriggerDefinition<z.infer<typeof schema>>
