import { isAnswerToProposal, type StepRow } from './reply.ts'
import { readToolData } from './step-data.ts'
import { mayRepeatTool } from './may-repeat.sql.ts'
import type { ReplyContext } from './reply-context.ts'
import { closeStep } from './record-steps.ts'

const NOT_CHECKED =
  'It could not be found out whether this was done: it was begun, and cut off. Do not do it again. Say that you could not check it.'

/**
 * Recovers a step without a result, whose process died: a model call and a reading tool are repeated. Any other tool
 * is never repeated, and the model is informed.
 *
 * Spec: Assistant › Interrupted replies.
 */
export async function recoverInterruptedStep(
  { tx, loaded, now }: ReplyContext,
  open: StepRow,
): Promise<void> {
  open.state = 'interrupted'
  open.endedAt = now
  // The row of an agreement's proposal records whether its action was started.
  if (open.kind === 'tool' && !isAnswerToProposal(open)) {
    const { callId } = readToolData(open)
    const wasRepeated = loaded.steps.some(
      (step) => step !== open && step.state === 'interrupted' && isOf(step, callId),
    )
    if (wasRepeated || !(await mayRepeatTool(tx, loaded.company.id, open.name!)))
      open.result = NOT_CHECKED
  }
  closeStep(loaded, open)
}

const isOf = (step: StepRow, callId: string) =>
  step.kind === 'tool' && readToolData(step).callId === callId
