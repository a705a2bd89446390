import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  claimNoticeMails,
  postponeMail,
  type NoticeToMail,
} from '../../src/notices/notice-mails.sql.ts'
import type { EndpointView } from '../../src/contract/dashboard/endpoint.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { transaction } from '../../src/database/transaction.ts'
import { MAIL_LIMITS } from '../../src/limits/accounts.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { createMailer, type Mailer } from '../../src/mail/mailer.ts'
import { raiseEvent } from '../../src/events/raise-event.ts'
import { startMailServer, type TestMailServer } from '../mail/mail-server.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let mail: TestMailServer
let world: World
let shop: Shop
let owner: Member
let shops = 0
/** What happens at the moment in which an e-mail is handed over. */
let onSend: (() => Promise<void>) | null = null

beforeAll(async () => {
  mail = await startMailServer()
  const mailer = createMailer({
    host: '127.0.0.1',
    port: mail.port,
    isTls: false,
    login: null,
    from: 'Wasla <wasla@example.com>',
  })
  const watched: Mailer = {
    async send(letter) {
      await mailer.send(letter)
      await onSend?.()
    },
  }
  world = await createWorld({ mailer: watched })
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

beforeEach(async () => {
  await world.database.db.kysely.deleteFrom('notice').execute()
  shops += 1
  shop = await createShop(world, { phoneNumberId: `p${shops}`, businessAccountId: `b${shops}` })
  owner = await signedIn(world, { accountId: shop.accountId })
  mail.received.length = 0
  mail.refuseContent(null)
  mail.refuseRecipients(null)
  onSend = null
})

const DETAILS = {
  endpointName: 'Orders طلبات',
  reason: 'failures_in_row',
  lastStatus: 503,
  lastError: 'http_error',
  failuresInRow: 100,
  failingSince: '2026-11-20T08:30:12.000Z',
}

/** As the engine writes it when it switches an endpoint off. */
async function notice(kind = 'endpoint_switched_off', details: object = {}): Promise<string> {
  const { ids, clock } = world.service.context
  const id = ids.uuid()
  // Nobody is woken for what is written here: it is found as time goes by.
  world.clock.advance(1)
  await world.database.db.kysely
    .insertInto('notice')
    .values({
      id,
      accountId: shop.accountId,
      companyId: shop.companyId,
      kind,
      subjectId: shop.endpointId,
      details: JSON.stringify({ endpointId: shop.endpointId, ...DETAILS, ...details }),
      createdAt: clock.now(),
      mailDueAt: clock.now(),
    })
    .execute()
  return id
}

const stored = (id: string) =>
  world.database.db.kysely
    .selectFrom('notice')
    .select(['mailDueAt', 'mailedAt', 'mailAttempts', 'readAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const list = async (query = '', member = owner) =>
  (await member.ask<Page<NoticeView>>('GET', `/notices${query}`)).body

describe('Notices', () => {
  test('tell in Arabic and in English what happened, why, and what to do', async () => {
    const id = await notice()
    const { items, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    expect(items).toEqual([
      {
        id,
        kind: 'endpoint_switched_off',
        company: { id: shop.companyId, name: 'Shop' },
        endpointId: shop.endpointId,
        conversationId: null,
        words: { ar: expect.anything(), en: expect.anything() },
        createdAt: world.clock.now().toISOString(),
        readAt: null,
        mailedAt: null,
      },
    ])
    const { ar, en } = items[0]!.words
    expect(en.title).toBe('Webhook endpoint "\u2068Orders طلبات\u2069" was switched off')
    expect(en.text).toContain('It failed 100 times in a row, since 2026-11-20 08:30 UTC.')
    expect(en.text).toContain('The last attempt: HTTP 503.')
    expect(en.text).toContain('held for 7 days')
    expect(ar.title).toBe('أُوقِفت نقطة استقبال الأحداث "\u2068Orders طلبات\u2069"')
    expect(ar.text).toContain('100')
    expect(ar.text).toContain('\u2068HTTP 503\u2069')
  })

  test.each([
    ['endpoint_switched_off', { reason: 'gone', lastStatus: 410 }, /answered 410/, /410/],
    ['endpoint_switched_off', { reason: 'failing_for_days' }, /72 hours/, /72 ساعة/],
    ['endpoint_failing', { failuresInRow: 50 }, /failed 50 times.*After 100/, /50.*100/],
    [
      'endpoint_failing',
      { lastStatus: null, lastError: 'dns_failed' },
      /last attempt: dns_failed/,
      /dns_failed/,
    ],
    ['something_new', {}, /Sign in/, /سجّلوا/],
  ])('of kind %s with %j have their own words', async (kind, details, en, ar) => {
    await notice(kind, details)
    const { words } = (await list()).items[0]!
    expect(words.en.text).toMatch(en)
    expect(words.ar.text).toMatch(ar)
  })

  test('are listed by pages, the newest first, of all companies of the account', async () => {
    const made = [await notice(), await notice(), await notice()]
    const first = await list('?limit=2')
    expect(first.items.map(({ id }) => id)).toEqual([made[2], made[1]])
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`)
    expect(rest.items.map(({ id }) => id)).toEqual([made[0]])
    expect(rest.nextCursor).toBeNull()
  })

  test('are counted and marked as read, for all who see them', async () => {
    const [first, second, third] = [await notice(), await notice(), await notice()]
    const unread = async () =>
      (await owner.ask<{ count: number; isMore: boolean }>('GET', '/notices/unread')).body
    expect(await unread()).toEqual({ count: 3, isMore: false })
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    expect((await admin.ask('POST', `/notices/${first}/read`)).status).toBe(204)
    const { readAt } = await stored(first)
    world.clock.advance(1_000)
    expect((await owner.ask('POST', `/notices/${first}/read`)).status).toBe(204)
    expect((await stored(first)).readAt).toEqual(readAt)
    expect(await unread()).toEqual({ count: 2, isMore: false })
    expect((await list('?isUnread=true')).items.map(({ id }) => id)).not.toContain(first)
    expect((await list()).items).toHaveLength(3)
    expect((await owner.ask('POST', '/notices/read', { upTo: third })).status).toBe(204)
    expect(await unread()).toEqual({ count: 0, isMore: false })
    expect((await stored(second)).readAt).toEqual(world.clock.now())
  })

  test('are marked together up to the newest that was shown: what came meanwhile stays unread', async () => {
    const [first, shown, meanwhile] = [await notice(), await notice(), await notice()]
    expect((await owner.ask('POST', '/notices/read', { upTo: shown })).status).toBe(204)
    expect((await list('?isUnread=true')).items.map(({ id }) => id)).toEqual([meanwhile])
    expect((await stored(first)).readAt).toEqual(world.clock.now())
    expect((await owner.ask('POST', '/notices/read', { upTo: 'all' })).status).toBe(422)
  })

  test('of another account are neither seen nor marked', async () => {
    const id = await notice()
    const other = await createShop(world, { phoneNumberId: 'x', businessAccountId: 'x' })
    const stranger = await signedIn(world, { accountId: other.accountId })
    expect((await list('', stranger)).items).toEqual([])
    expect((await stranger.ask('POST', `/notices/${id}/read`)).status).toBe(404)
    expect((await stranger.ask('POST', '/notices/read', { upTo: id })).status).toBe(204)
    expect((await stored(id)).readAt).toBeNull()
  })
})

describe('The e-mail of a notice', () => {
  test('goes to every Owner of the account, once, in both languages', async () => {
    const second = await signedIn(world, { accountId: shop.accountId })
    await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    const id = await notice()
    await world.service.processAll()
    await world.service.processAll()
    expect(mail.received).toHaveLength(1)
    const [letter] = mail.received
    expect(letter!.to).toEqual([owner.email, second.email])
    expect(letter!.subject).toMatch(/^Webhook endpoint "Orders طلبات" was switched off \| أُوقِفت/)
    expect(letter!.subject).not.toMatch(/[\u2068\u2069]/)
    expect(letter!.text).toContain('It failed 100 times in a row')
    expect(letter!.text).toContain('فشلت المحاولات المتتالية 100 مرة')
    expect(letter!.text).toContain(world.url)
    expect(letter!.headers).toContain(`Message-ID: <${id}@example.com>`)
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
    expect((await list()).items[0]!.mailedAt).toBe(world.clock.now().toISOString())
  })

  test('gets no header, line or turned text by the name of an endpoint', async () => {
    const endpointName = 'a\r\nBcc: thief@example.com\r\n\r\nb\u202Etxt.exe\u2069\u2028c'
    await notice('endpoint_switched_off', { endpointName })
    await world.service.processAll()
    const [letter] = mail.received
    expect(letter!.to).toEqual([owner.email])
    expect(letter!.headers.filter((line) => /^bcc:/i.test(line))).toEqual([])
    expect(letter!.subject).toContain('"a Bcc: thief@example.com btxt.exe c"')
    expect(letter!.text).toContain('"\u2068a Bcc: thief@example.com btxt.exe c\u2069"')
    expect(letter!.text).not.toMatch(/[\u202E\u2028]/)
  })

  test('that the server does not take is tried again for about a day, then given up', async () => {
    mail.refuseContent({ status: 451, text: 'later' })
    const id = await notice()
    const attemptsAt: number[] = []
    const startMs = world.clock.now().getTime()
    for (let turn = 0; turn < 20; turn += 1) {
      await world.service.processAll()
      const { mailDueAt } = await stored(id)
      attemptsAt.push(world.clock.now().getTime() - startMs)
      if (mailDueAt === null) break
      world.clock.moveTo(mailDueAt.toISOString())
    }
    expect(attemptsAt).toHaveLength(MAIL_LIMITS.retryDelaysMs.length + 1)
    expect(attemptsAt[1]).toBe(MINUTE_MS)
    expect(attemptsAt.at(-1)! / HOUR_MS).toBeGreaterThan(20)
    expect(attemptsAt.at(-1)! / HOUR_MS).toBeLessThan(25)
    expect(await stored(id)).toMatchObject({ mailedAt: null })
    expect(mail.received).toEqual([])
    owner = await signedIn(world, { accountId: shop.accountId })
    expect((await list()).items).toHaveLength(1)
  })

  test('that was refused for now arrives at a later attempt', async () => {
    mail.refuseRecipients({ status: 451, text: 'greylisted' })
    const id = await notice()
    await world.service.processAll()
    expect(await stored(id)).toMatchObject({
      mailedAt: null,
      mailDueAt: new Date(world.clock.now().getTime() + MINUTE_MS),
    })
    mail.refuseRecipients(null)
    world.clock.advance(MINUTE_MS - 1)
    await world.service.processAll()
    expect(mail.received).toEqual([])
    world.clock.advance(1)
    await world.service.processAll()
    expect(mail.received).toHaveLength(1)
  })

  test('to addresses that the server does not know is given up at once', async () => {
    mail.refuseRecipients({ status: 550, text: 'no such user' })
    const id = await notice()
    await world.service.processAll()
    expect(await stored(id)).toMatchObject({ mailedAt: null, mailDueAt: null, mailAttempts: 1 })
  })

  test('that was taken is not sent again by who claims it meanwhile', async () => {
    const id = await notice()
    const { kysely } = world.database.db
    let other: NoticeToMail | undefined
    onSend = async () => {
      world.clock.advance(MAIL_LIMITS.leaseMs)
      const claimed = await claimNoticeMails(kysely, { now: world.clock.now(), limit: 1 })
      other = claimed[0]
    }
    await world.service.processAll()
    expect(other).toMatchObject({ id, attempt: 2 })
    await postponeMail(kysely, other!, world.clock.now())
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
    world.clock.advance(HOUR_MS)
    await world.service.processAll()
    expect(mail.received).toHaveLength(1)
  })

  test('that was taken as the database went away is not sent again', async () => {
    const id = await notice()
    const { pool } = world.database.db
    await pool.query('create sequence away')
    await pool.query(`create function away() returns trigger language plpgsql as
      $$ begin
        if nextval('away') = 1 then raise exception 'stopping' using errcode = '57P01'; end if;
        return new;
      end $$`)
    await pool.query(`create trigger away before update on notice for each row
      when (new.mailed_at is not null) execute function away()`)
    await world.service.processAll()
    await pool.query('drop function away cascade; drop sequence away')
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
    world.clock.advance(MAIL_LIMITS.leaseMs)
    await world.service.processAll()
    expect(mail.received).toHaveLength(1)
  })

  test('whose sender died comes again when its lease has ended', async () => {
    const id = await notice()
    await world.database.db.kysely
      .updateTable('notice')
      .set({ mailDueAt: new Date(world.clock.now().getTime() + MAIL_LIMITS.leaseMs) })
      .where('id', '=', id)
      .execute()
    await world.service.processAll()
    expect(mail.received).toEqual([])
    world.clock.advance(MAIL_LIMITS.leaseMs)
    await world.service.processAll()
    expect(mail.received).toHaveLength(1)
  })

  test('is not sent where an account has no Owner', async () => {
    await world.database.db.kysely
      .deleteFrom('member')
      .where('accountId', '=', shop.accountId)
      .execute()
    const id = await notice()
    await world.service.processAll()
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: null })
    expect(mail.received).toEqual([])
  })
})

describe('An endpoint that answers 410', () => {
  test('is switched off at once and its account’s owner is notified, once', async () => {
    world.receiver.answerWith(410)
    const { db, ids, clock } = world.service.context
    const raise = () =>
      transaction(db, (tx) =>
        raiseEvent(
          tx,
          { ids, now: clock.now() },
          {
            type: 'ping',
            company: { id: shop.companyId, name: 'Shop' },
            data: { message: 'مرحبا' },
            occurredAt: clock.now(),
          },
        ),
      )
    await Promise.all([raise(), raise(), raise()])
    await world.service.processAll()
    await world.service.processAll()
    const path = `/companies/${shop.companyId}/endpoints/${shop.endpointId}`
    const { body } = await owner.ask<EndpointView>('GET', path)
    expect(body).toMatchObject({ isOn: false, off: { reason: 'gone' } })
    expect((await list()).items).toMatchObject([
      { kind: 'endpoint_switched_off', endpointId: shop.endpointId },
    ])
    expect(mail.received).toHaveLength(1)
    expect(mail.received[0]).toMatchObject({
      to: [owner.email],
      subject: expect.stringMatching(/^Webhook endpoint "Test receiver" was switched off/),
      text: expect.stringContaining('It answered 410'),
    })
  })
})

describe('Without a mail server', () => {
  test('notices are in the dashboard alone, and nothing is an error', async () => {
    const silent = await createWorld()
    try {
      const other = await createShop(silent)
      const member = await signedIn(silent, { accountId: other.accountId })
      const { ids, clock } = silent.service.context
      await silent.database.db.kysely
        .insertInto('notice')
        .values({
          id: ids.uuid(),
          accountId: other.accountId,
          companyId: other.companyId,
          kind: 'endpoint_failing',
          details: JSON.stringify({ endpointId: other.endpointId, ...DETAILS }),
          createdAt: clock.now(),
          mailDueAt: clock.now(),
        })
        .execute()
      await silent.service.processAll()
      const rows = await silent.database.db.kysely.selectFrom('notice').selectAll().execute()
      expect(rows).toMatchObject([{ mailDueAt: null, mailedAt: null, mailAttempts: 0 }])
      const { body } = await member.ask<Page<NoticeView>>('GET', '/notices')
      expect(body.items).toHaveLength(1)
      expect(silent.logged.filter((line) => /"level":[45]0/.test(line))).toEqual([])
    } finally {
      await silent.close()
    }
  })
})
