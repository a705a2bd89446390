import type { Transaction } from 'kysely'
import type { RunCall } from '../contract/dashboard/run.ts'
import type { DB } from '../database/tables.ts'
import type { StepRecord } from './advance.ts'
import type { RunInHand } from './read-run.ts'

/** How a call ended, for the history of its run. */
export type ClosedCall = {
  /** Of the step in the run's history. */
  number: number
  status: 'done' | 'failed' | 'interrupted'
  detail: string | null
  call: RunCall
}

/** Writes a run's history inside a turn's transaction, numbered on from what the run has. */
export function createStepLog(tx: Transaction<DB>, { run }: RunInHand, now: Date) {
  let count = run.steps
  const insert = (record: {
    stepId: string
    kind: string
    status: string
    detail?: string | null
    messageId?: string
    callAttempts?: number
    endedAt?: Date
  }) =>
    tx
      .insertInto('flowRunStep')
      .values({
        runId: run.id,
        number: ++count,
        companyId: run.companyId,
        startedAt: now,
        ...record,
      })
      .execute()
  return {
    count: () => count,
    async add(records: readonly StepRecord[]) {
      for (const record of records) await insert({ ...record, endedAt: now })
    },
    startSend: (stepId: string, kind: string, messageId: string) =>
      insert({ stepId, kind, status: 'started', messageId }),
    /** Returns the step's number. */
    async startCall(stepId: string, kind: string): Promise<number> {
      await insert({ stepId, kind, status: 'started', callAttempts: 0 })
      return count
    },
    async closeSend(status: 'done' | 'failed' | 'interrupted', detail: string | null) {
      await tx
        .updateTable('flowRunStep')
        .set({ status, detail, endedAt: now })
        .where('runId', '=', run.id)
        .where('status', 'in', ['started', 'interrupted'])
        .where('messageId', 'is not', null)
        .execute()
    },
    async closeCall({ number, status, detail, call }: ClosedCall) {
      await tx
        .updateTable('flowRunStep')
        .set({
          status,
          detail,
          endedAt: now,
          callAttempts: call.attempts,
          call: JSON.stringify(call),
        })
        .where('runId', '=', run.id)
        .where('number', '=', number)
        .execute()
    },
  }
}
