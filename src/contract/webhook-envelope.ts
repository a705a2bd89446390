/** The envelope of every event. Spec: Events › Envelope. */
import { z } from 'zod'
import { EVENT_TYPES } from '../core/vocabulary/events.ts'
import { dateTime, extensibleEnum, uuid } from './webhook-data.ts'

export const WebhookEnvelope = z.looseObject({
  id: z
    .string()
    .regex(/^evt_[0-9a-f]{32}$/)
    .meta({
      description: 'The same on every retry and resend. Ignore events you have already received.',
    }),
  type: extensibleEnum(EVENT_TYPES),
  apiVersion: z.string().meta({ description: 'The version of the shape of `data`.' }),
  createdAt: dateTime.meta({ description: 'When it happened.' }),
  test: z.boolean().meta({ description: 'True for test events from Send test.' }),
  company: z.looseObject({ id: uuid, name: z.string().nullable() }),
  data: z.looseObject({}),
})
export type WebhookEnvelope = z.infer<typeof WebhookEnvelope>
