import { isAgreement, type StepRow } from './reply.ts'
import { toolDataOf } from './step-data.ts'
import { mayRepeat } from './may-repeat.sql.ts'
import type { ReplyContext } from './reply-context.ts'
import { closeStep } from './record-steps.ts'

const NOT_CHECKED =
  'It could not be found out whether this was done: it was begun, and cut off. Do not do it again. Say that you could not check it.'

/**
 * A step that was begun and of which nothing came back, because its process died: a model is asked again,
 * and what only reads is done once more. Anything else never is: the model is told so.
 *
 * Spec: Assistant › What is cut off.
 */
export async function takeInCutOff({ tx, hand, now }: ReplyContext, open: StepRow): Promise<void> {
  open.state = 'interrupted'
  open.endedAt = now
  // What the customer has agreed to knows by itself whether it was begun.
  if (open.kind === 'tool' && !isAgreement(open)) {
    const { callId } = toolDataOf(open)
    const wasRepeated = hand.steps.some(
      (step) => step !== open && step.state === 'interrupted' && isOf(step, callId),
    )
    if (wasRepeated || !(await mayRepeat(tx, hand.company.id, open.name!))) open.told = NOT_CHECKED
  }
  closeStep(hand, open)
}

const isOf = (step: StepRow, callId: string) =>
  step.kind === 'tool' && toolDataOf(step).callId === callId
