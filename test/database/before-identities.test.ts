/** A database of before contacts had identities is brought to them. Contacts › Who a customer is. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { transaction } from '../../src/database/transaction.ts'
import { lookUpCustomers } from '../../src/messaging/look-up-customers.sql.ts'
import { identifiersOf } from '../../src/rules/identity/identifier.ts'
import { createTestDatabase } from '../support/database.ts'
import { numberKey } from '../../src/rules/identity/number-key.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { identifiersIn, identitiesIn } from '../support/records/identifiers.ts'
import { recordsIn } from '../support/records/records.ts'
import { runSqlFile } from '../support/records/sql-file.ts'

const ID = '00000000-0000-7000-8000-0000000000'
const companyId = `${ID}02`
const WHATSAPP = { id: `${ID}03`, type: 'whatsapp', route: '1000' }
const TELEGRAM = { id: `${ID}04`, type: 'telegram', route: '77' }

const database = await createTestDatabase({ empty: true })
afterAll(() => database.drop())

beforeAll(async () => {
  await migrate(database.db.pool, undefined, '0030_merged_conversations.sql')
  await runSqlFile(recordsIn(database.db), 'before-identities.sql')
  await migrate(database.db.pool)
})

test('whom each number and id finds, and in which conversation, is as before; a number is shown of one contact', async () => {
  const found = async (channel: typeof WHATSAPP, ids: Parameters<typeof identifiersOf>[0]) => {
    const asked = { companyId, channelId: channel.id, identifiers: identifiersOf(ids, channel) }
    const [known] = await transaction(database.db, (tx) => lookUpCustomers(tx, [asked]))
    return [known!.contactId, known!.conversationId]
  }
  expect(await found(WHATSAPP, { number: '966501110001' })).toEqual([`${ID}0a`, 'c_own'])
  expect(await found(WHATSAPP, { businessScopedId: 'SA.A1' })).toEqual([`${ID}0a`, 'c_own'])
  expect(await found(WHATSAPP, { number: '966501110002' })).toEqual([`${ID}0a`, 'c_merged'])
  expect(await found(TELEGRAM, { providerUserId: '4711' })).toEqual([`${ID}0b`, 'c_telegram'])
  // Of two forms of one line the provider's word counts.
  expect(await found(WHATSAPP, { number: '553188888802' })).toEqual([`${ID}0c`, null])
  const contacts = await contactsOf(recordsIn(database.db), { companyId })
  expect(new Map(contacts.map(({ name, phone }) => [name, phone]))).toEqual(
    new Map([
      ['Merged', '+966501110001'],
      ['Telegram', null],
      ['Holder', '+5531988888802'],
      ['Double', null],
      ['Shown', '+966501110010'],
      ['Shows the same', null],
      ['Without alias', '+966501110012'],
    ]),
  )
})

test('no clash is left: each identifier is of one identity, each conversation of an identity of its contact', async () => {
  const contacts = await contactsOf(recordsIn(database.db), { companyId })
  const shown = (of: (contact: (typeof contacts)[number]) => string | null) =>
    contacts.flatMap((contact) => of(contact) ?? []).toSorted()
  const numbers = shown(({ phone }) => phone && numberKey(phone.slice(1)))
  expect(numbers).toEqual([...new Set(numbers)])
  const ids = shown(({ whatsappId }) => whatsappId)
  expect(ids).toEqual([...new Set(ids)])
  const identities = await identitiesIn(recordsIn(database.db), { companyId })
  const identifiers = (await identifiersIn(recordsIn(database.db), { companyId }))
    .filter(({ state }) => state !== 'left')
    .map(({ kind, key }) => `${kind} ${key}`)
  expect(identifiers.toSorted()).toEqual([...new Set(identifiers)].toSorted())
  for (const { phone, whatsappId, id } of contacts) {
    const own = identities.filter(({ contactId }) => contactId === id).map((one) => one.id)
    const finds = (await identifiersIn(recordsIn(database.db), { companyId }))
      .filter(({ identityId }) => own.includes(identityId))
      .map(({ key }) => key)
    if (phone !== null) expect(finds).toContain(numberKey(phone.slice(1)))
    if (whatsappId !== null) expect(finds).toContain(whatsappId)
  }
  for (const { identityId, contactId } of await conversationsOf(recordsIn(database.db), {
    companyId,
  })) {
    expect(identities.find(({ id }) => id === identityId)?.contactId).toBe(contactId)
  }
})

test('an opt-out of either of two contacts with one line counts for who is found by it', async () => {
  const contacts = await contactsOf(recordsIn(database.db), { companyId })
  const out = contacts.filter(({ optedOutAt }) => optedOutAt !== null)
  expect(out.map(({ name }) => name)).toEqual(['Holder', 'Double'])
})
