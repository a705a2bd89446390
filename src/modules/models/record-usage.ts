import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ModelNoticeDetails } from '../../contract/dashboard/notice.ts'
import { confirmedTransaction } from '../../infra/database/confirmed-transaction.ts'
import { retryWhileUnavailable } from '../../infra/database/retry-while-unavailable.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { MODEL_WARNING_PERCENTS } from '../../core/limits/models.ts'
import type { ModelPurpose } from '../../core/vocabulary/models.ts'
import type { Answer } from './model.ts'
import { notifyAccount } from './notify-account.ts'

/** Requests to models and their tokens, added up. */
export type Use = {
  requests: number
  tokensIn: number
  tokensOut: number
  /** Requests whose answers contained no token numbers. */
  estimated: number
}

/** The usage of a model call, and the day and account that it belongs to. */
export type DailyUsage = {
  accountId: string
  /** UTC, as 2027-01-31. */
  day: string
  purpose: ModelPurpose
  use: Use
  /** Tokens of the day before this usage. */
  usedBefore: number
  /** Maximum tokens of the account on this day. */
  allowance: number
}

/**
 * Adds used tokens to the account's usage of this day, once, and notifies its Owners once at 80 and once at 100 % of
 * the day's allowance. Waits for an unavailable database: a minute, or 15 s after `stopping` or without it. Never
 * throws, as the answer is worth more than its count; usage that is still not recorded is in the log. Spec: Assistant ›
 * Models.
 */
export async function recordUsage(
  deps: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  used: DailyUsage,
  stopping?: AbortSignal,
): Promise<void> {
  const patience = stopping ? { stopping } : {}
  let isAdded = false
  async function addAndWarn(): Promise<void> {
    if (!isAdded)
      await confirmedTransaction(deps.db, (tx) => insertUsage(used).execute(tx), patience)
    isAdded = true
    await warnOfUsage(deps, used)
  }
  try {
    await retryWhileUnavailable(addAndWarn, patience)
  } catch (error) {
    const { accountId, day, purpose, use } = used
    deps.log.error(
      { err: error, accountId, day, purpose, use },
      isAdded ? 'notice of used tokens not raised' : 'usage of models not recorded',
    )
  }
}

/** Returns usage without any request. */
export const noUse = (): Use => ({ requests: 0, tokensIn: 0, tokensOut: 0, estimated: 0 })

/** Adds a request and the tokens of its answer to `use`; a failure reports no tokens. */
export function countAnswer(use: Use, answer: Answer): void {
  use.requests += 1
  if (!answer.ok) return
  use.tokensIn += answer.usage.tokensIn
  use.tokensOut += answer.usage.tokensOut
  use.estimated += answer.usage.isEstimated ? 1 : 0
}

/** Returns the statement that adds usage, also as a part of another statement; null adds nothing. */
export function insertUsage(used: DailyUsage | null) {
  const { requests = 0, tokensIn = 0, tokensOut = 0, estimated = 0 } = used?.use ?? {}
  return sql`
    insert into model_day (account_id, day, purpose, requests, tokens_in, tokens_out, estimated)
    select ${used?.accountId}::uuid, ${used?.day}::date, ${used?.purpose}::text, ${requests}::int,
      ${tokensIn}::int, ${tokensOut}::int, ${estimated}::int
    where ${used !== null}::boolean
    on conflict (account_id, day, purpose) do update set
      requests = model_day.requests + excluded.requests,
      tokens_in = model_day.tokens_in + excluded.tokens_in,
      tokens_out = model_day.tokens_out + excluded.tokens_out,
      estimated = model_day.estimated + excluded.estimated`
}

/**
 * Notifies the Owners, once for each share of the allowance that was reached, by this usage or earlier: each of
 * several concurrent callers knows only its own part.
 */
export async function warnOfUsage(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { accountId, day, use, usedBefore, allowance }: DailyUsage,
): Promise<void> {
  const used = usedBefore + use.tokensIn + use.tokensOut
  const percent = MODEL_WARNING_PERCENTS.findLast((share) => used * 100 >= allowance * share)
  if (percent === undefined || used === 0) return
  await transaction(db, async (tx) => {
    const { rows } = await sql`
      insert into model_warning (account_id, day, percent)
      values (${accountId}, ${day}::date, ${percent}) on conflict do nothing returning percent
    `.execute(tx)
    if (rows.length === 0) return
    const details: ModelNoticeDetails = { percent, tokensPerDay: allowance }
    await notifyAccount(
      tx,
      { ids, now: clock.now() },
      { accountId, kind: 'model_allowance', details },
    )
  })
}
