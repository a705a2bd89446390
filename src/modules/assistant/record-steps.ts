import type { LoadedReply, StepRow, PendingWrites } from './reply.ts'

type NewStep = Pick<StepRow, 'kind' | 'state'> & Partial<StepRow>

/** The next step of the reply's epoch; it is written with how the turn leaves the reply. */
export function addStep(
  { reply, steps, unwritten }: LoadedReply,
  step: NewStep,
  now: Date,
): StepRow {
  const number = steps.filter(({ epoch }) => epoch === reply.epoch).length + 1
  const row: StepRow = {
    name: null,
    input: null,
    told: null,
    data: null,
    tokensIn: null,
    tokensOut: null,
    failure: null,
    endedAt: step.state === 'started' ? null : now,
    ...step,
    replyId: reply.id,
    companyId: reply.companyId,
    epoch: reply.epoch,
    number,
    startedAt: now,
  }
  unwritten.added.push(row)
  steps.push(row)
  return row
}

/** What a turn begins with. */
export function noPendingWrites(): PendingWrites {
  return { closed: [], added: [], promptParts: [], language: null, used: null }
}

/** What came of a step of an earlier turn; it is written with how the turn leaves the reply. */
export function closeStep({ unwritten }: LoadedReply, step: StepRow): void {
  unwritten.closed.push(step)
}
