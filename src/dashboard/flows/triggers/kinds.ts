/** The trigger types, as the builder draws and edits them. */
import type { ComponentType } from 'react'
import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { IconName } from '../../parts/icons.ts'
import type { Trigger, TriggerOf } from '../draft.ts'
import type { SayStep, Summary } from '../steps/step-kind.ts'
import { APPOINTMENT_REMINDER } from './appointment-reminder.tsx'
import { CONVERSATION_STARTED } from './conversation-started.tsx'
import { KEYWORD } from './keyword.tsx'
import { MANUAL } from './manual.tsx'
import { TEMPLATE_BUTTON } from './template-button.tsx'
import type { TriggerFormProps, TriggerKindDesign } from './trigger-kind.ts'
import { WEBHOOK } from './webhook.tsx'

const DESIGNS: { [Kind in TriggerKind]: TriggerKindDesign<TriggerOf<Kind>> } = {
  webhook: WEBHOOK,
  keyword: KEYWORD,
  conversation_started: CONVERSATION_STARTED,
  template_button: TEMPLATE_BUTTON,
  appointment_reminder: APPOINTMENT_REMINDER,
  manual: MANUAL,
}

/** The cast is safe because each design is called only with triggers of its kind. */
const KINDS = DESIGNS as unknown as Readonly<Record<TriggerKind, TriggerKindDesign<Trigger>>>

/** The trigger types in the order of the menu. */
export const TRIGGER_KINDS = Object.keys(DESIGNS) as TriggerKind[]

/** Returns the icon of a type of trigger. */
export const triggerIcon = (kind: TriggerKind): IconName => KINDS[kind].icon
/** Returns whether flows with this trigger must send a template first, as the customer has not written. */
export const needsTemplateFirst = (kind: TriggerKind): boolean =>
  KINDS[kind].needsTemplateFirst ?? false
/** Returns a new trigger of a type, with default settings. */
export const makeTrigger = (kind: TriggerKind): Trigger => KINDS[kind].make()
/** Returns the variables that a trigger sets before the first step. */
export const variablesOfTrigger = (trigger: Trigger): readonly string[] =>
  KINDS[trigger.kind].sets(trigger)
/** Returns the title and the detail that the map shows for a trigger. */
export const triggerSummary = (trigger: Trigger, say: SayStep): Summary =>
  KINDS[trigger.kind].summary(trigger, say)
/** Returns the form in which a member edits a trigger. */
export const triggerForm = (trigger: Trigger): ComponentType<TriggerFormProps<Trigger>> =>
  KINDS[trigger.kind].Form
