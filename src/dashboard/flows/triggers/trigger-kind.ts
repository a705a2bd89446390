/** The design of a trigger type in the builder: one file each in this folder and a line in `kinds.ts`. */
import type { ComponentType } from 'react'
import type { IconName } from '../../parts/icons.ts'
import type { Trigger } from '../draft.ts'
import type { Bindings, SayStep, Summary } from '../steps/step-kind.ts'

/** The properties of the form of a trigger. */
export type TriggerFormProps<Of extends Trigger> = {
  trigger: Of
  set(change: Partial<Of>): void
} & Bindings<Of>

/** The way in which the builder creates, draws and edits one type of trigger. */
export type TriggerKindDesign<Of extends Trigger> = {
  icon: IconName
  /** The customer may not have written recently, so a template has to precede every other message. */
  needsTemplateFirst?: true
  make(): Of
  /** Returns the variables that a run has at its start. */
  sets(trigger: Of): readonly string[]
  summary(trigger: Of, say: SayStep): Summary
  Form: ComponentType<TriggerFormProps<Of>>
}
