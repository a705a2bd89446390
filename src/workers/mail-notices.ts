/**
 * The duty that tells the Owners of an account by e-mail what its notices say. An e-mail that the
 * server did not take is tried again for about a day. Once the server took it, it is not sent again;
 * only when this process dies between the server's answer and our row does it come twice.
 */
import type { Context } from '../infra/context.ts'
import { retryWhileUnavailable } from '../infra/database/retry-while-unavailable.ts'
import { MAIL_LIMITS } from '../core/limits/accounts.ts'
import type { Mailer } from '../infra/mail/mailer.ts'
import {
  forgetDueMails,
  MAIL_QUEUE,
  postponeMail,
  recordMailed,
  type NoticeToMail,
} from '../modules/notices/mail-queue.sql.ts'
import { noticeMail } from '../i18n/notice-words.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { mailAgainAt } from './retry-mail.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & {
  /** Null: the operator has named no mail server. */
  mailer: Mailer | null
  publicUrl(): string
}

export function createMailNoticesWorker(context: Context, deps: Deps): ConcurrentWorker {
  const { db, clock, log } = context
  const { mailer } = deps
  const worker = createWorker(
    context,
    {
      name: 'mail-notices',
      queue: MAIL_QUEUE,
      places: { atOnce: MAIL_LIMITS.atOnce },
      wakesAtEnd: true,
      take: (notice, { stopping }) => send(context, deps, { mailer: mailer!, stopping }, notice),
      onFault: (error, { id }) =>
        log.error({ err: error, noticeId: id }, 'what became of an e-mail was not written'),
    },
    deps,
  )
  if (mailer) return worker
  return {
    ...worker,
    async work() {
      await forgetDueMails(db.kysely, clock.now())
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
  const { id, owners } = notice
  if (owners.length === 0) return postponeMail(db.kysely, notice, null)
  const mail = noticeMail(notice, { signInUrl: deps.publicUrl() })
  try {
    await mailer.send({ id, to: owners, ...mail })
  } catch (error) {
    const dueAt = mailAgainAt(error, notice.attempt, clock.now())
    log.warn(
      { noticeId: id, attempt: notice.attempt, dueAt, reason: (error as Error).message },
      dueAt ? 'a notice was not mailed, will try again' : 'a notice is not mailed: given up',
    )
    return postponeMail(db.kysely, notice, dueAt)
  }
  // The server has it: where that is not written down, it is sent again.
  await retryWhileUnavailable(() => recordMailed(db.kysely, id, clock.now()), { stopping })
}
