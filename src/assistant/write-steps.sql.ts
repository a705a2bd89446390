import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { HandOfReply, StepRow } from './reply.ts'

type NewStep = Pick<StepRow, 'kind' | 'state'> & Partial<StepRow>

/** Writes the next step of the reply's epoch. */
export async function addStep(
  tx: Transaction<DB>,
  { reply, steps }: HandOfReply,
  step: NewStep,
  now: Date,
): Promise<StepRow> {
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
  await tx.insertInto('assistantStep').values(row).execute()
  steps.push(row)
  return row
}

export async function closeStep(tx: Transaction<DB>, step: StepRow): Promise<void> {
  const { replyId, epoch, number, state, name, told, data, tokensIn, tokensOut, failure, endedAt } =
    step
  await tx
    .updateTable('assistantStep')
    .set({ state, name, told, data, tokensIn, tokensOut, failure, endedAt })
    .where('replyId', '=', replyId)
    .where('epoch', '=', epoch)
    .where('number', '=', number)
    .execute()
}

/** Keeps the pieces of instructions that were not kept yet; those that were are known to be in use. */
export async function keepPromptParts(
  tx: Transaction<DB>,
  companyId: string,
  parts: readonly { sha256: Buffer; text: string }[],
  now: Date,
): Promise<void> {
  await sql`
    insert into prompt_part (company_id, sha256, text, last_used_at)
    select ${companyId}, sha256, text, ${now}
    from unnest(${parts.map(({ sha256 }) => sha256)}::bytea[],
      ${parts.map(({ text }) => text)}::text[]) as part (sha256, text)
    on conflict (company_id, sha256) do update set last_used_at = excluded.last_used_at
      where prompt_part.last_used_at < excluded.last_used_at - interval '1 hour'`.execute(tx)
}
