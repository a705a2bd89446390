/** A customer opts out by the link of a broadcast: what its token says, and what it sets off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadLinkedContact, optOutByLink } from '../../src/broadcasts/opt-out-by-link.ts'
import { makeOptOutToken, readOptOutToken } from '../../src/broadcasts/opt-out-link.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

const broadcastId = '01a1fd55-7a80-7278-823e-2ce24018e90d'
const contactId = '01a1fd55-7a80-7278-823e-2ce24018ffff'
const ringOf = (...bytes: number[]) =>
  createKeyRing(
    bytes.map((byte) => ({ id: `k${byte}`, key: Buffer.alloc(32, byte) })),
    () => {},
  )

describe('The token', () => {
  const token = makeOptOutToken(ringOf(1), { contactId, broadcastId })

  test('holds both ids and a proof in 59 characters', () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]{59}$/)
    expect(readOptOutToken(ringOf(1), token)).toEqual({ contactId, broadcastId })
  })

  test('is good for as long as the key that made it is in the ring', () => {
    expect(readOptOutToken(ringOf(2, 1), token)).toEqual({ contactId, broadcastId })
    expect(readOptOutToken(ringOf(2), token)).toBeNull()
  })

  test('with one letter changed, shortened, lengthened or spelt otherwise is none', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...token].flatMap((letter, place) =>
      [...letters]
        .filter((other) => other !== letter)
        .map((other) => token.slice(0, place) + other + token.slice(place + 1)),
    )
    others.push('', token.slice(1), `${token}A`, `${token}=`, ` ${token}`, `${token}\n`)
    expect(others.filter((other) => readOptOutToken(ringOf(1), other) !== null)).toEqual([])
  })
})

describe('Opting out by it', () => {
  let world: World
  let whatsApp: SimulatedWhatsApp
  let shop: ConnectedShop
  let owner: Member
  let at: string
  beforeAll(async () => {
    world = await createWorld()
    whatsApp = await simulateWhatsApp(world)
    shop = await whatsApp.openShop()
    owner = await signedIn(world, { accountId: shop.accountId })
    at = `/companies/${shop.companyId}/contacts`
  })
  afterAll(async () => {
    await whatsApp.close()
    await world.close()
  })

  const make = async () =>
    (await owner.ask<ContactView>('POST', at, { name: 'Sara', phone: newPhone(), language: 'ar' }))
      .body
  const press = (id: string) => optOutByLink(world.service.context, { contactId: id, broadcastId })
  const look = (id: string) =>
    loadLinkedContact(world.database.db.kysely, { contactId: id, broadcastId })
  async function raised(id: string) {
    const rows = await world.database.db.kysely
      .selectFrom('event')
      .select('type')
      .where('contactId', '=', id)
      .where('type', 'like', 'contact.%')
      .orderBy('id')
      .execute()
    return rows.map(({ type }) => type).filter((type) => type !== 'contact.created')
  }
  const say = async (phone: string, text: string) => {
    await postWebhook(
      world,
      webhookOf(shop, [written({ from: phone.slice(1), text, name: 'Sara' })]),
    )
    await whatsApp.settle()
  }

  test('looking changes nothing; pressing opts out once; pressing again says the same', async () => {
    const { id } = await make()
    for (let nth = 0; nth < 5; nth += 1) await look(id)
    expect(await look(id)).toMatchObject({ contactId: id, isOptedOut: false, language: 'ar' })
    expect(await press(id)).toMatchObject({ contactId: id, isOptedOut: true })
    expect(await press(id)).toMatchObject({ contactId: id, isOptedOut: true })
    expect(await raised(id)).toEqual(['contact.opted_out'])
    const log = await owner.ask<{ items: object[] }>('GET', `${at}/${id}/opt-outs`)
    expect(log.body.items).toMatchObject([{ optedOut: true, how: 'link', person: null }])
  })

  test('ends what runs for the customer, and after START it works again', async () => {
    const { id, phone } = await make()
    await shop.order(phone!)
    await whatsApp.settle()
    await press(id)
    await whatsApp.settle()
    const runs = await world.database.db.kysely
      .selectFrom('flowRun')
      .select(['status', 'endReason'])
      .where('contactId', '=', id)
      .execute()
    expect(runs).toEqual([{ status: 'completed', endReason: 'customer_exited' }])
    world.clock.advance(1_000)
    await say(phone!, 'START')
    expect(await look(id)).toMatchObject({ isOptedOut: false })
    world.clock.advance(1_000)
    await press(id)
    expect(await raised(id)).toEqual(['contact.opted_out', 'contact.updated', 'contact.opted_out'])
  })

  test('ends what the assistant is about to say to the customer', async () => {
    const { id, phone } = await make()
    await say(phone!, 'when do you open?')
    const { kysely } = world.database.db
    const { ids, clock } = world.service.context
    const conversation = await kysely
      .selectFrom('conversation')
      .select('id')
      .where('contactId', '=', id)
      .executeTakeFirstOrThrow()
    const [replyId, now] = [ids.uuid(), clock.now()]
    const reply = { id: replyId, companyId: shop.companyId, conversationId: conversation.id }
    const since = { firstMessageId: 'm', notedMessageId: 'm', notedAt: now, startedAt: now }
    await kysely
      .insertInto('assistantReply')
      .values({ ...reply, ...since, state: 'thinking' })
      .execute()
    await press(id)
    const after = await kysely
      .selectFrom('assistantReply')
      .select('state')
      .where('id', '=', replyId)
      .executeTakeFirst()
    expect(after).toEqual({ state: 'cancelled' })
  })

  test('of a contact that has become part of another opts out that other; of nobody does nothing', async () => {
    const [gone, survivor] = [await make(), await make()]
    await owner.ask('POST', `${at}/${survivor.id}/merge`, { fromId: gone.id })
    expect(await press(gone.id)).toMatchObject({ contactId: survivor.id, isOptedOut: true })
    expect((await owner.ask<ContactView>('GET', `${at}/${survivor.id}`)).body.optedOut).toBe(true)
    expect(await press('01a1fd55-7a80-7278-823e-000000000000')).toBeNull()
  })

  test('of a contact that becomes part of another at that very moment opts out that other', async () => {
    const [gone, survivor] = [await make(), await make()]
    const { pool } = world.database.db
    const merging = await pool.connect()
    try {
      await merging.query('begin')
      await merging.query('select from contact where id = $1 for update', [gone.id])
      const pressed = press(gone.id)
      await waitUntil('the press waits for the merge', async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database() and query like '%contact%for update%'`,
        )
        return rows.length > 0
      })
      await merging.query(
        `insert into contact_merge (from_id, company_id, into_id, snapshot, merged_at)
          values ($1, $2, $3, '{}', now())`,
        [gone.id, shop.companyId, survivor.id],
      )
      await merging.query('delete from contact where id = $1', [gone.id])
      await merging.query('commit')
      expect(await pressed).toMatchObject({ contactId: survivor.id, isOptedOut: true })
    } finally {
      merging.release()
    }
  })
})
