/**
 * The worker that mails notices to the Owners of an account. An e-mail has a limited number of recipients; the other
 * Owners get the next one. A failed e-mail is retried for about a day. An accepted one is not sent again, except to
 * Owners that the server refused for now, or when this process dies before it has recorded the acceptance.
 */
import type { Context } from '../infra/context.ts'
import { retryWhileUnavailable } from '../infra/database/retry-while-unavailable.ts'
import { MAIL_LIMITS } from '../core/limits/accounts.ts'
import type { Mailer, RefusedRecipient } from '../infra/mail/mailer.ts'
import {
  cancelDueMails,
  MAIL_QUEUE,
  postponeMail,
  recordMailed,
  recordPartlyMailed,
  type NoticeToMail,
} from '../modules/notices/mail-queue.sql.ts'
import { noticeMail } from '../i18n/notice-words.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { mailAgainAt, retryAt } from './retry-mail.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & {
  /** Null when the operator has configured no mail server. */
  mailer: Mailer | null
  publicUrl(): string
}

/** Creates the worker that e-mails notices to members. */
export function createMailNoticesWorker(context: Context, deps: Deps): ConcurrentWorker {
  const { db, clock, log } = context
  const { mailer } = deps
  const worker = createWorker(
    context,
    {
      name: 'mail-notices',
      queue: MAIL_QUEUE,
      places: { maxConcurrent: MAIL_LIMITS.maxConcurrent },
      wakesAtEnd: true,
      take: (notice, { stopping }) => send(context, deps, { mailer: mailer!, stopping }, notice),
      onError: (error, { id }) =>
        log.error({ err: error, noticeId: id }, 'outcome of an e-mail not recorded'),
    },
    deps,
  )
  if (mailer) return worker
  return {
    ...worker,
    async work() {
      await cancelDueMails(db.kysely, clock.now())
      return false
    },
  }
}

async function send(
  { db, clock, log }: Context,
  deps: Deps,
  { mailer, stopping }: { mailer: Mailer; stopping: AbortSignal },
  notice: NoticeToMail,
): Promise<void> {
  const { id, owners, ownerIds, attempt } = notice
  if (owners.length === 0) return postponeMail(db.kysely, notice, null)
  const mail = noticeMail(notice, { signInUrl: deps.publicUrl() })
  const isLast = owners.length < MAIL_LIMITS.recipients
  let refused: readonly RefusedRecipient[]
  try {
    refused = await mailer.send({ id, to: owners, ...mail })
  } catch (error) {
    const now = clock.now()
    const dueAt = mailAgainAt(error, attempt, now)
    log.warn(
      { noticeId: id, attempt, dueAt, reason: (error as Error).message },
      dueAt ? 'notice e-mail failed: retrying' : 'notice e-mail failed permanently',
    )
    if (dueAt !== null || isLast) return postponeMail(db.kysely, notice, dueAt)
    const forOthers = { doneFor: ownerIds, mailedAt: null, dueAt: now, attempts: 0 }
    return recordPartlyMailed(db.kysely, notice, forOthers)
  }
  const isRetried = new Set(refused.flatMap((one) => (one.isFinal ? [] : one.address)))
  const retriedAt = isRetried.size === 0 ? null : retryAt(attempt, clock.now())
  const dueAt = isLast ? retriedAt : clock.now()
  if (refused.length > 0) {
    const counts = { refused: refused.length, recipients: owners.length }
    log.warn({ noticeId: id, attempt, dueAt, ...counts }, 'recipients refused')
  }
  // The server has accepted the e-mail. Unless this is recorded, it is sent again.
  await retryWhileUnavailable(
    () => {
      const mailedAt = clock.now()
      if (dueAt === null) return recordMailed(db.kysely, id, mailedAt)
      const doneFor = ownerIds.filter((_, index) => !isRetried.has(owners[index]!))
      const attempts = isLast ? attempt : 0
      return recordPartlyMailed(db.kysely, notice, { doneFor, mailedAt, dueAt, attempts })
    },
    { stopping },
  )
}
