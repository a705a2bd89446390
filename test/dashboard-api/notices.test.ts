import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  MAIL_QUEUE,
  type NoticeToMail,
  postponeMail,
} from '../../src/modules/notices/mail-queue.sql.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { MAIL_LIMITS } from '../../src/core/limits/accounts.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { createMailer, type Mailer } from '../../src/infra/mail/mailer.ts'
import { startMailServer } from '../mail/mail-server.ts'
import { claimFrom, endLeases } from '../support/queues.ts'
import { type Member, signedIn, itemsOf } from '../support/dashboard.ts'
import { createWorld } from '../support/test-service.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { describePerson, removeMembers } from '../support/records/members.ts'
import { addNotice, deleteNotices, noticeOf } from '../support/records/notices.ts'
import type { Shop } from '../support/shop.ts'
import { type Role, ROLES } from '../../src/core/vocabulary/accounts.ts'

let shop: Shop
let owner: Member
/** A callback at the moment in which an e-mail is handed to the mail server. */
let onSend: (() => Promise<void>) | null = null

const mail = await startMailServer()
const mailer = createMailer({
  host: '127.0.0.1',
  port: mail.port,
  isTls: false,
  login: null,
  from: 'Wasla <wasla@example.com>',
})
const watched: Mailer = {
  async send(letter) {
    const refused = await mailer.send(letter)
    await onSend?.()
    return refused
  },
}
const world = await openWorld({ mailer: watched })
afterAll(() => mail.close())

beforeEach(async () => {
  await deleteNotices(world)
  ;({ shop, owner } = await ownedShop(world))
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

/** Writes a notice as the service does when it switches an endpoint off. */
function notice(kind = 'endpoint_switched_off', details: object = {}, mailDueInMs = 0) {
  // No worker is notified of this row: the clock makes it due.
  world.clock.advance(1)
  const { endpointId } = shop
  return addNotice(world, shop, {
    kind,
    subjectId: endpointId,
    details: { endpointId, ...DETAILS, ...details },
    mailDueAt: new Date(world.clock.now().getTime() + mailDueInMs),
  })
}

const stored = (id: string) => noticeOf(world, id)

/** Claims notices, also those whose lease has expired. */
async function claimAnew(limit: number): Promise<NoticeToMail[]> {
  await endLeases(world, MAIL_QUEUE)
  return claimFrom(world, MAIL_QUEUE, { limit })
}
const list = async (query = '', member = owner) =>
  (await member.ask<Page<NoticeView>>('GET', `/notices${query}`)).body

describe('Notices', () => {
  test('say in Arabic and in English what happened, why, and what to do', async () => {
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
    expect(en.text).toContain('It failed 100 times in a row, since Fri, 20 Nov 2026, 08:30 (UTC).')
    expect(en.text).toContain('Last attempt: HTTP 503.')
    expect(en.text).toContain('held for 7 days')
    expect(ar.title).toBe('أُوقفت نقطة الاستقبال «\u2068Orders طلبات\u2069»')
    expect(ar.text).toContain('100')
    expect(ar.text).toContain('\u2068HTTP 503\u2069')
  })

  test.each([
    ['endpoint_switched_off', { reason: 'gone', lastStatus: 410 }, /returned 410/, /410/],
    ['endpoint_switched_off', { reason: 'failing_for_days' }, /72 hours/, /72 ساعة/],
    ['endpoint_failing', { failuresInRow: 50 }, /failed 50 times.*After 100/, /50.*100/],
    [
      'endpoint_failing',
      { lastStatus: null, lastError: 'dns_failed' },
      /Last attempt: dns_failed/,
      /dns_failed/,
    ],
    ['something_new', {}, /Sign in/, /سجّل الدخول/],
  ])('have their own words for kind %s with %j', async (kind, details, en, ar) => {
    await notice(kind, details)
    const { words } = (await list()).items[0]!
    expect(words.en.text).toMatch(en)
    expect(words.ar.text).toMatch(ar)
  })

  test('are counted and marked as read for all members who see them, up to the newest shown one', async () => {
    const [first, second, third] = [await notice(), await notice(), await notice()]
    const unread = async () =>
      (await owner.ask<{ count: number; isMore: boolean }>('GET', '/notices/unread')).body
    const read = async (what: string, upTo?: string, member = owner) =>
      (await member.ask('POST', `/notices/${what}`, upTo && { upTo })).status
    const left = async () => (await list('?isUnread=true')).items.map(({ id }) => id)
    expect(await unread()).toEqual({ count: 3, isMore: false })
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    expect(await read(`${first}/read`, undefined, admin)).toBe(204)
    const { readAt } = await stored(first)
    world.clock.advance(1_000)
    expect(await read(`${first}/read`)).toBe(204)
    expect((await stored(first)).readAt).toEqual(readAt)
    expect(await unread()).toEqual({ count: 2, isMore: false })
    expect(await left()).toEqual([third, second])
    // A notice newer than the shown one stays unread.
    expect(await read('read', second)).toBe(204)
    expect(await left()).toEqual([third])
    expect((await stored(second)).readAt).toEqual(world.clock.now())
    expect(await read('read', third)).toBe(204)
    expect(await unread()).toEqual({ count: 0, isMore: false })
    expect((await list()).items).toHaveLength(3)
    expect(await read('read', 'all')).toBe(422)
  })

  test('are neither seen nor marked by another account', async () => {
    const id = await notice()
    const { owner: stranger } = await ownedShop(world)
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
    expect(letter!.subject).toMatch(/^Webhook endpoint "Orders طلبات" was switched off \| أُوقفت/)
    expect(letter!.subject).not.toMatch(/[\u2068\u2069]/)
    expect(letter!.text).toContain('It failed 100 times in a row')
    expect(letter!.text).toContain('فشلت 100 مرة على التوالي')
    expect(letter!.text).toContain(world.url)
    expect(letter!.headers).toContain(`Message-ID: <${id}@example.com>`)
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
    expect((await list()).items[0]!.mailedAt).toBe(world.clock.now().toISOString())
  })

  test('gets no header, line or reversed text from the name of an endpoint', async () => {
    const endpointName = 'a\r\nBcc: thief@example.com\r\n\r\nb\u202Etxt.exe\u2069\u2028c'
    await notice('endpoint_switched_off', { endpointName })
    await world.service.processAll()
    const [letter] = mail.received
    expect(letter!.to).toEqual([owner.email])
    expect(letter!.headers.filter((line) => /^bcc:/i.test(line))).toEqual([])
    expect(letter!.subject).toContain('"a Bcc: thief example com btxt exe c"')
    expect(letter!.text).toContain('"\u2068a Bcc: thief example com btxt exe c\u2069"')
    expect(letter!.text).not.toMatch(/[\u202E\u2028]/)
  })

  test('is tried again for about a day while the server refuses it, then given up', async () => {
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

  test('arrives at a later attempt after a temporary refusal', async () => {
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

  test('is tried again only for the Owners that the server refuses for now', async () => {
    await signedIn(world, { accountId: shop.accountId, email: 'Second@SHOP.Example' })
    const third = await signedIn(world, { accountId: shop.accountId })
    const secondAddress = 'Second@shop.example'
    mail.refuseRecipients({ status: 451, text: 'greylisted' }, secondAddress)
    mail.refuseRecipients({ status: 550, text: 'no such user' }, third.email)
    const id = await notice()
    await world.service.processAll()
    const firstAt = world.clock.now()
    expect(await stored(id)).toMatchObject({
      mailedAt: firstAt,
      mailDueAt: new Date(firstAt.getTime() + MINUTE_MS),
    })
    mail.refuseRecipients(null)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      world.clock.advance(HOUR_MS)
      await world.service.processAll()
    }
    expect(mail.received.map(({ to }) => to)).toEqual([[owner.email], [secondAddress]])
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailAttempts: 2 })
  })

  test('is given up for an Owner that the server refuses for a day, and stays sent for the others', async () => {
    const second = await signedIn(world, { accountId: shop.accountId })
    mail.refuseRecipients({ status: 451, text: 'greylisted' }, second.email)
    const id = await notice()
    for (const delayMs of [0, ...MAIL_LIMITS.retryDelaysMs, HOUR_MS]) {
      world.clock.advance(delayMs)
      await world.service.processAll()
    }
    expect(mail.received.map(({ to }) => to)).toEqual([[owner.email]])
    const row = await stored(id)
    expect(row).toMatchObject({ mailDueAt: null, mailedAt: expect.any(Date) })
    expect(row.mailAttempts).toBe(MAIL_LIMITS.retryDelaysMs.length + 1)
  })

  test('is given up immediately if the server does not know its addresses', async () => {
    mail.refuseRecipients({ status: 550, text: 'no such user' })
    const id = await notice()
    await world.service.processAll()
    expect(await stored(id)).toMatchObject({ mailedAt: null, mailDueAt: null, mailAttempts: 1 })
  })

  test('is not sent again by a worker that claims it while it is accepted', async () => {
    const id = await notice()
    const { kysely } = world.database.db
    let other: NoticeToMail | undefined
    onSend = async () => {
      world.clock.advance(MAIL_LIMITS.leaseMs)
      const claimed = await claimAnew(1)
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

  test('is not sent again if the database failed as it was accepted', async () => {
    const id = await notice()
    const end = await refuseWrites(world, 'a mailed notice', { code: '57P01', once: true })
    await world.service.processAll()
    await end()
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
    world.clock.advance(MAIL_LIMITS.leaseMs)
    await world.service.processAll()
    expect(mail.received).toHaveLength(1)
  })

  test('is not sent where an account has no Owner', async () => {
    await removeMembers(world, shop)
    const id = await notice()
    await world.service.processAll()
    expect(await stored(id)).toMatchObject({ mailDueAt: null, mailedAt: null })
    expect(mail.received).toEqual([])
  })
})

describe('Without a mail server', () => {
  test('notices are in the dashboard alone, and nothing is an error', async () => {
    const silent = await createWorld()
    try {
      const { shop: other, owner: member } = await ownedShop(silent)
      const details = { endpointId: other.endpointId, ...DETAILS }
      const mailDueAt = silent.clock.now()
      const id = await addNotice(silent, other, { kind: 'endpoint_failing', details, mailDueAt })
      await silent.service.processAll()
      const unsent = { mailDueAt: null, mailedAt: null, mailAttempts: 0 }
      expect(await noticeOf(silent, id)).toMatchObject(unsent)
      const items = await itemsOf<NoticeView>(member, '/notices')
      expect(items).toHaveLength(1)
      expect(silent.logged.filter((line) => /"level":[45]0/.test(line))).toEqual([])
    } finally {
      await silent.close()
    }
  })
})

/** Notices of an account are read for all its Owners and Admins; one for a person is theirs alone. Spec: API › The account. */
describe('Among notices for an account and for one person', () => {
  const members = {} as Record<Role, Member>
  /** One notice of the account, and one for each member. */
  const ids = {} as Record<Role | 'account', string>
  beforeEach(async () => {
    const details = { text: 'Look', conversationId: 'c_1' }
    const subject = { subjectId: shop.endpointId, details }
    ids.account = await addNotice(world, shop, { kind: 'endpoint_switched_off', ...subject })
    for (const role of ROLES) {
      members[role] =
        role === 'owner' ? owner : await signedIn(world, { accountId: shop.accountId, role })
      const { personId } = members[role]
      ids[role] = await addNotice(world, shop, { kind: 'mentioned', personId, ...subject })
    }
  })
  const idsOf = async (by: Member, query = '') => (await list(query, by)).items.map(({ id }) => id)
  const unread = async (by: Member) =>
    (await by.ask<{ count: number }>('GET', '/notices/unread')).body.count

  test('each is listed and counted for its readers', async () => {
    const { admin, agent } = members
    expect(await idsOf(owner)).toEqual([ids.owner, ids.account])
    expect(await idsOf(admin)).toEqual([ids.admin, ids.account])
    expect(await idsOf(agent)).toEqual([ids.agent])
    expect([await unread(owner), await unread(admin), await unread(agent)]).toEqual([2, 2, 1])
  })

  test('an Agent reads none of the account, and no member reads those of another', async () => {
    const { agent } = members
    for (const [by, id] of [
      [agent, ids.account],
      [agent, ids.owner],
      [owner, ids.agent],
    ] as const) {
      expect((await by.ask('POST', `/notices/${id}/read`)).status).toBe(404)
    }
    expect((await agent.ask('POST', '/notices/read', { upTo: ids.agent })).status).toBe(204)
    expect(await unread(owner)).toBe(2)
  })

  test('marking all as read covers those of the account and of the member, not those of others', async () => {
    const { admin } = members
    expect((await owner.ask('POST', '/notices/read', { upTo: ids.agent })).status).toBe(204)
    expect(await idsOf(owner, '?isUnread=true')).toEqual([])
    expect(await idsOf(admin, '?isUnread=true')).toEqual([ids.admin])
  })

  test('the e-mail of one is not sent to an Owner of the demonstration', async () => {
    const now = world.clock.now()
    const played = await signedIn(world, shop)
    await describePerson(world, played.personId, { isDemonstration: true })
    const about = { kind: 'endpoint_switched_off', subjectId: shop.endpointId }
    await addNotice(world, shop, { ...about, mailDueAt: now })
    const [due] = await claimAnew(10)
    expect(due!.owners).toEqual([owner.email])
  })
})
