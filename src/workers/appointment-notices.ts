/**
 * The worker that sends notices of appointments, in a conversation or by e-mail. A failed e-mail is retried for about
 * a day, by whichever way is available then. An e-mail is not sent again when its process died before it knew whether
 * the server had accepted it.
 */
import {
  APPOINTMENT_NOTICE_QUEUE,
  recordNoticeOutcome,
  type ClaimedNotice,
} from '../modules/appointments/due-notices.sql.ts'
import { sendClaimedNotice, type NoticeMail } from '../modules/appointments/send-notices.ts'
import type { Context } from '../infra/context.ts'
import { retryWhileUnavailable } from '../infra/database/retry-while-unavailable.ts'
import { fact } from '../core/facts/fact.ts'
import { MAIL_LIMITS } from '../core/limits/accounts.ts'
import type { Mailer } from '../infra/mail/mailer.ts'
import { writeAppointmentNotice } from '../i18n/appointment-words.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { mailAgainAt } from './retry-mail.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & {
  /** Null when the operator has configured no mail server. */
  mailer: Mailer | null
  publicUrl(): string
}

/** Creates the worker that sends customers notices about their appointments. */
export function createAppointmentNoticesWorker(context: Context, deps: Deps): ConcurrentWorker {
  const { mailer, publicUrl } = deps
  const noticeDeps = { formatNotice: writeAppointmentNotice, publicUrl, canMail: mailer !== null }
  return createWorker(
    context,
    {
      name: 'appointment-notices',
      queue: APPOINTMENT_NOTICE_QUEUE,
      places: { maxConcurrent: MAIL_LIMITS.maxConcurrent },
      wakesAtEnd: true,
      async take(notice, { stopping }) {
        const mail = await sendClaimedNotice(context, noticeDeps, notice)
        if (mail) await sendMail(context, { mailer: mailer!, stopping }, notice, mail)
      },
      onError: (error, { id }) =>
        context.log.error({ err: error, noticeId: id }, 'outcome of a notice not recorded'),
    },
    deps,
  )
}

async function sendMail(
  { db, clock, log }: Context,
  { mailer, stopping }: { mailer: Mailer; stopping: AbortSignal },
  notice: ClaimedNotice,
  { mailAttempts, to, ...content }: NoticeMail,
): Promise<void> {
  const record = (outcome: Parameters<typeof recordNoticeOutcome>[3]) =>
    retryWhileUnavailable(() => recordNoticeOutcome(db.kysely, clock.now(), notice, outcome), {
      stopping,
    })
  try {
    await mailer.send({ id: notice.id, to: [to], ...content })
  } catch (error) {
    const dueAt = mailAgainAt(error, mailAttempts, clock.now())
    const reason = (error as Error).message
    log.warn({ noticeId: notice.id, attempt: mailAttempts, reason }, 'appointment e-mail failed')
    return record(
      dueAt ? { state: 'pending', dueAt } : { state: 'skipped', why: fact('notice_not_mailed') },
    )
  }
  return record({ state: 'mailed' })
}
