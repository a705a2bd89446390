/** The step types, as the builder draws and edits them. A new one is a file in this folder and a line here. */
import type { ComponentType } from 'react'
import type { IconName } from '../../parts/icons.ts'
import type { BuilderLists } from '../builder-context.ts'
import type { Step, StepKind, StepOf } from '../draft.ts'
import { ASK } from './ask.tsx'
import { ASSIGN } from './assign.tsx'
import { BOOK } from './book.tsx'
import { BRANCH } from './branch.tsx'
import { CANCEL_APPOINTMENT } from './cancel-appointment.tsx'
import { CONDITION } from './condition.tsx'
import { END } from './end.tsx'
import { HANDOVER } from './handover.tsx'
import { HTTP_REQUEST } from './http-request.tsx'
import { LANGUAGE } from './language.tsx'
import { LEAD } from './lead.tsx'
import { NOTE } from './note.tsx'
import { RESOLVE } from './resolve.tsx'
import { SEND_MEDIA } from './send-media.tsx'
import { SEND_MESSAGE } from './send-message.tsx'
import { SEND_TEMPLATE } from './send-template.tsx'
import { SET_FIELD } from './set-field.tsx'
import { SET_VARIABLE } from './set-variable.tsx'
import type { Exit, FormProps, SayStep, StepKindDesign, Summary } from './step-kind.ts'
import { TAG } from './tag.tsx'
import { WAIT } from './wait.tsx'
import { WAIT_FOR_REPLY } from './wait-for-reply.tsx'

const DESIGNS: { [Kind in StepKind]: StepKindDesign<StepOf<Kind>> } = {
  send_template: SEND_TEMPLATE,
  send_message: SEND_MESSAGE,
  send_media: SEND_MEDIA,
  ask: ASK,
  wait_for_reply: WAIT_FOR_REPLY,
  wait: WAIT,
  condition: CONDITION,
  branch: BRANCH,
  set_variable: SET_VARIABLE,
  http_request: HTTP_REQUEST,
  set_field: SET_FIELD,
  tag: TAG,
  language: LANGUAGE,
  book: BOOK,
  cancel_appointment: CANCEL_APPOINTMENT,
  lead: LEAD,
  note: NOTE,
  assign: ASSIGN,
  handover: HANDOVER,
  resolve: RESOLVE,
  end: END,
}

/** The cast is safe because each design is called only with steps of its kind. */
const KINDS = DESIGNS as unknown as Readonly<Record<StepKind, StepKindDesign<Step>>>

/** The step types in the order of the menu. */
export const STEP_KINDS = Object.keys(DESIGNS) as StepKind[]

/** Returns the icon of a type of step. */
export const iconOf = (kind: StepKind): IconName => KINDS[kind].icon
/** Returns the group of the menu in which a type of step is offered. */
export const groupOf = (kind: StepKind) => KINDS[kind].group
/** Returns a new step of a type, with default settings. */
export const makeStep = (kind: StepKind, builder: BuilderLists): Step => KINDS[kind].make(builder)
/** Returns whether steps of a type always end the run. */
export const endsRun = (kind: StepKind, builder: BuilderLists): boolean =>
  mainExitOf(makeStep(kind, builder)) === null
/** Returns the exits of a step, without unconnected optional ones, each with the step it leads to or null. */
export const exitsOf = (step: Step): Exit[] => KINDS[step.kind].exits(step)
/** Returns the exit of a step that the next one follows (the first of a branch), or null if the step ends the run. */
export const mainExitOf = (step: Step): string | null => KINDS[step.kind].main(step)
/** Returns whether a template must precede steps of a type in a flow that writes to the customer first. */
export const needsTemplateBefore = (kind: StepKind): boolean =>
  KINDS[kind].needsTemplateBefore ?? false
/** Returns whether a step sends a message template, as `needsTemplateBefore` requires for others. */
export const sendsTemplate = (step: Step): boolean => KINDS[step.kind].sendsTemplate ?? false
/** Returns whether a step does nothing but end the run, and is drawn as an end. */
export const isEnd = (step: Step): boolean => KINDS[step.kind].isEnd ?? false
/** Returns the variables that are set when a run leaves a step by an exit. */
export const variablesSetBy = (step: Step, exit: string): readonly string[] =>
  KINDS[step.kind].sets?.(step, exit) ?? []
/** Returns the title and the detail that the map shows for a step. */
export const summaryOf = (step: Step, say: SayStep, builder: BuilderLists): Summary =>
  KINDS[step.kind].summary(step, say, builder)
/** Returns the component of the form in which a member edits a step. */
export const formOf = (step: Step): ComponentType<FormProps<Step>> => KINDS[step.kind].Form
