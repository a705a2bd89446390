import type { LoadedReply, StepRow, PendingWrites } from './reply.ts'

type NewStep = Pick<StepRow, 'kind' | 'state'> & Partial<StepRow>

/** Adds a step to the reply's epoch; it is written at the end of the advance. */
export function addStep({ reply, steps, pending }: LoadedReply, step: NewStep, now: Date): StepRow {
  const number = steps.filter(({ epoch }) => epoch === reply.epoch).length + 1
  const row: StepRow = {
    name: null,
    input: null,
    result: null,
    data: null,
    tokensIn: null,
    tokensOut: null,
    failure: null,
    startedAt: now,
    endedAt: step.state === 'started' ? null : now,
    ...step,
    replyId: reply.id,
    companyId: reply.companyId,
    epoch: reply.epoch,
    number,
  }
  pending.added.push(row)
  steps.push(row)
  return row
}

/** Returns the pending writes of a new advance. */
export function noPendingWrites(): PendingWrites {
  return { closed: [], added: [], promptParts: [], language: null, used: null }
}

/** Closes a step of an earlier advance; it is written at the end of this one. */
export function closeStep({ pending }: LoadedReply, step: StepRow): void {
  pending.closed.push(step)
}
