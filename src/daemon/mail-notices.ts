/**
 * The duty that tells the Owners of an account by e-mail what its notices say. An e-mail that the
 * server did not take is tried again for about a day. Once the server took it, it is not sent again;
 * only when this process dies between the server's answer and our row does it come twice.
 */
import {
  claimNoticeMails,
  forgetDueMails,
  nextMailDue,
  postponeMail,
  recordMailed,
  type NoticeToMail,
} from '../notices/notice-mails.sql.ts'
import { noticeMail } from '../words/notice-words.ts'
import type { Context } from '../context.ts'
import { patiently } from '../database/patiently.ts'
import { MAIL_LIMITS } from '../limits/accounts.ts'
import { MailFailed, type Mailer } from '../mail/mailer.ts'
import type { WorkingDuty } from './loop.ts'

export function createMailNoticesDuty(
  { db, clock, log }: Context,
  deps: {
    /** Null: the operator has named no mail server. */
    mailer: Mailer | null
    publicUrl(): string
    onProgress(): void
  },
): WorkingDuty {
  const underWay = new Set<Promise<void>>()

  async function send(mailer: Mailer, notice: NoticeToMail): Promise<void> {
    const { id, owners } = notice
    if (owners.length === 0) return postponeMail(db.kysely, notice, null)
    const mail = noticeMail(notice, { signInUrl: deps.publicUrl() })
    try {
      await mailer.send({ id, to: owners, ...mail })
    } catch (error) {
      const delayMs =
        error instanceof MailFailed && error.isFinal
          ? undefined
          : MAIL_LIMITS.retryDelaysMs[notice.attempt - 1]
      const dueAt = delayMs === undefined ? null : new Date(clock.now().getTime() + delayMs)
      log.warn(
        { noticeId: id, attempt: notice.attempt, dueAt, reason: (error as Error).message },
        dueAt ? 'a notice was not mailed, will try again' : 'a notice is not mailed: given up',
      )
      return postponeMail(db.kysely, notice, dueAt)
    }
    // The server has it: where that is not written down, it is sent again.
    await patiently(() => recordMailed(db.kysely, id, clock.now()))
  }

  function start(mailer: Mailer, notice: NoticeToMail): void {
    const sending = send(mailer, notice)
      .catch((error: unknown) => {
        log.error({ err: error, noticeId: notice.id }, 'what became of an e-mail was not written')
      })
      .finally(() => {
        underWay.delete(sending)
        deps.onProgress()
      })
    underWay.add(sending)
  }

  return {
    name: 'mail-notices',
    async work() {
      const { mailer } = deps
      if (!mailer) {
        await forgetDueMails(db.kysely, clock.now())
        return false
      }
      const limit = MAIL_LIMITS.atOnce - underWay.size
      if (limit === 0) return false
      const notices = await claimNoticeMails(db.kysely, { now: clock.now(), limit })
      for (const notice of notices) start(mailer, notice)
      return false
    },
    nextDue: () =>
      underWay.size < MAIL_LIMITS.atOnce ? nextMailDue(db.kysely) : Promise.resolve(null),
    inFlight: () => underWay.size,
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
