/** All kinds of triggers. A new kind is a file here and a line in `TRIGGERS` and in the vocabulary. */
import { z } from 'zod'
import type { TriggerKind } from '../../core/vocabulary/flows.ts'
import { APPOINTMENT_REMINDER } from './appointment-reminder.ts'
import { CONVERSATION_STARTED } from './conversation-started.ts'
import { KEYWORD } from './keyword.ts'
import { MANUAL } from './manual.ts'
import { TEMPLATE_BUTTON } from './template-button.ts'
import type { TriggerDefinition } from './trigger-design.ts'
import { WEBHOOK } from './webhook.ts'

const DESIGNS = {
  webhook: WEBHOOK,
  keyword: KEYWORD,
  conversation_started: CONVERSATION_STARTED,
  manual: MANUAL,
  template_button: TEMPLATE_BUTTON,
  appointment_reminder: APPOINTMENT_REMINDER,
} satisfies Record<TriggerKind, { schema: z.ZodObject }>

type Schema = (typeof DESIGNS)[TriggerKind]['schema']
const schemas = Object.values(DESIGNS).map(({ schema }) => schema) as [Schema, ...Schema[]]

/** A trigger in a flow's definition. */
export const Trigger = z.discriminatedUnion('kind', schemas)
export type Trigger = z.infer<typeof Trigger>

/** Definitions by kind. The cast is safe, because a definition only gets triggers of its kind. */
export const TRIGGERS = DESIGNS as unknown as Readonly<
  Record<TriggerKind, TriggerDefinition<Trigger>>
>
