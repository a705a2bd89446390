/** All kinds of steps. A new kind is a file here and a line in `DESIGNS`. */
import { z } from 'zod'
import { ASK } from './ask.ts'
import { ASSIGN } from './assign.ts'
import { BOOK } from './book.ts'
import { BRANCH } from './branch.ts'
import { CANCEL_APPOINTMENT } from './cancel-appointment.ts'
import { CONDITION } from './condition.ts'
import { END } from './end.ts'
import { HANDOVER } from './handover.ts'
import { HTTP_REQUEST } from './http-request.ts'
import { LANGUAGE } from './language.ts'
import { LEAD } from './lead.ts'
import { NOTE } from './note.ts'
import { RESOLVE } from './resolve.ts'
import { SEND_MEDIA } from './send-media.ts'
import { SEND_MESSAGE } from './send-message.ts'
import { SEND_TEMPLATE } from './send-template.ts'
import { SET_FIELD } from './set-field.ts'
import { SET_VARIABLE } from './set-variable.ts'
import type { StepDefinition } from './step-design.ts'
import { TAG } from './tag.ts'
import { WAIT } from './wait.ts'
import { WAIT_FOR_REPLY } from './wait-for-reply.ts'

const DESIGNS = byKind({
  send_template: SEND_TEMPLATE,
  send_message: SEND_MESSAGE,
  send_media: SEND_MEDIA,
  wait_for_reply: WAIT_FOR_REPLY,
  ask: ASK,
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
  note: NOTE,
  lead: LEAD,
  assign: ASSIGN,
  handover: HANDOVER,
  resolve: RESOLVE,
  end: END,
})

/** The kinds of steps. */
export type StepKind = keyof typeof DESIGNS

type Schema = (typeof DESIGNS)[StepKind]['schema']
const schemas = Object.values(DESIGNS).map(({ schema }) => schema) as [Schema, ...Schema[]]

/** A step in a flow's definition. */
export const Step = z.discriminatedUnion('kind', schemas)
export type Step = z.infer<typeof Step>

const STEPS = DESIGNS as unknown as Readonly<Record<StepKind, StepDefinition<Step>>>

/**
 * Returns the definition of a step's kind: its schema, exits and behaviour. The cast is safe, because a definition only
 * gets steps of its kind.
 */
export function designOf(step: Step): StepDefinition<Step> {
  return STEPS[step.kind]
}

/** Returns the next steps of a step with the names of their exits; null ends the run. */
export function exitsOf(step: Step): { exit: string; to: string | null }[] {
  return Object.entries(designOf(step).exits(step)).map(([exit, to]) => ({ exit, to }))
}

/** Returns the definitions unchanged. It does not compile when a key differs from the kind of its schema. */
function byKind<
  Designs extends {
    [Kind in keyof Designs]: { schema: z.ZodObject<{ kind: z.ZodLiteral<Kind & string> }> }
  },
>(designs: Designs): Designs {
  return designs
}
