/**
 * The worker that sends notices of appointments, in a conversation or by e-mail. A failed e-mail is retried for about
 * a day, by whichever way is available then. An e-mail is not sent again when this process died before it knew
 * whether the server had accepted it.
 */
import { recordMailOutcome } from '../modules/appointments/due-notices.sql.ts'
import { nextNoticeDueAt } from '../modules/appointments/plan-notices.sql.ts'
import { sendNextNotice, type NoticeMail } from '../modules/appointments/send-notices.ts'
import type { Context } from '../infra/context.ts'
import { retryWhileUnavailable } from '../infra/database/retry-while-unavailable.ts'
import { fact } from '../core/facts/fact.ts'
import { MAIL_LIMITS } from '../core/limits/accounts.ts'
import type { Mailer } from '../infra/mail/mailer.ts'
import { appointmentWords } from '../i18n/appointment-words.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { mailAgainAt } from './retry-mail.ts'
import { createUnderWay } from './in-flight.ts'

type Deps = {
  /** Null when the operator has configured no mail server. */
  mailer: Mailer | null
  publicUrl(): string
  onProgress(): void
}

/** Creates the worker that sends customers notices about their appointments. */
export function createAppointmentNoticesWorker(context: Context, deps: Deps): ConcurrentWorker {
  const { db, clock, log } = context
  const underWay = createUnderWay(deps.onProgress)
  const noticeDeps = {
    formatNotice: appointmentWords,
    publicUrl: deps.publicUrl,
    canMail: deps.mailer !== null,
  }

  async function sendMail(mailer: Mailer, { id, mailAttempts, to, ...said }: NoticeMail) {
    const settle = (became: Parameters<typeof recordMailOutcome>[3]) =>
      retryWhileUnavailable(() =>
        recordMailOutcome(db.kysely, clock.now(), { id, mailAttempts }, became),
      )
    try {
      await mailer.send({ id, to: [to], ...said })
    } catch (error) {
      const dueAt = mailAgainAt(error, mailAttempts, clock.now())
      const reason = (error as Error).message
      log.warn({ noticeId: id, attempt: mailAttempts, reason }, 'appointment e-mail failed')
      return dueAt
        ? settle({ state: 'pending', dueAt })
        : settle({ state: 'skipped', dueAt: null, why: fact('notice_not_mailed') })
    }
    return settle({ state: 'mailed', dueAt: null })
  }

  function start(mailer: Mailer, mail: NoticeMail): void {
    const sending = sendMail(mailer, mail).catch((error: unknown) => {
      log.error({ err: error, noticeId: mail.id }, 'outcome of an e-mail not recorded')
    })
    underWay.follow(sending, null)
  }

  return {
    name: 'appointment-notices',
    async work() {
      if (underWay.count() >= MAIL_LIMITS.maxConcurrent) return false
      const notice = await sendNextNotice(context, noticeDeps)
      if (notice?.mail) start(deps.mailer!, notice.mail)
      return notice !== null
    },
    nextDue: () =>
      underWay.count() < MAIL_LIMITS.maxConcurrent
        ? nextNoticeDueAt(db.kysely)
        : Promise.resolve(null),
    inFlight: underWay.count,
    drain: underWay.drain,
  }
}
