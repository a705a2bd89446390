/** An account moves between two installations with separate databases, keys and files. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import type { ConversationView } from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import { systemRandom } from '../../src/core/ids.ts'
import { findByToken } from '../../src/modules/appointments/find-by-token.ts'
import { bookableShop, booked } from '../support/bookable.ts'
import { postHook } from '../support/post-hook.ts'
import { craftExport } from '../support/craft-export.ts'
import { createTestDatabase } from '../support/database.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { getPage } from '../support/pages.ts'
import { runOperator, settingsFor } from '../support/operator.ts'
import { quickFolder } from '../support/quick-folder.ts'
import { accountOf, accountsThere } from '../support/records/accounts.ts'
import { contactWith } from '../support/records/contacts.ts'
import { addConversation } from '../support/records/conversations.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { addMember, membershipsOf } from '../support/records/members.ts'
import { runOf } from '../support/records/runs.ts'
import { newPhone } from '../support/simulator.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { PNG, uploadFile } from '../support/upload-file.ts'
import { visitorRequest, createWebsite, openWidget } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'
import { createWorldOn, type World } from '../support/world.ts'

const PASSPHRASE = 'a passphrase of the two operators'
const keysOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`

const folder = mkdtempSync(path.join(quickFolder(), 'wasla-move-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { world: old, whatsApp } = await openWhatsApp({ encryptionKeys: keysOf('old', 1) })
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, old.receiver.certificate)
const next = await createWorldOn(await createTestDatabase(), {
  encryptionKeys: keysOf('next', 2),
  clock: old.clock,
  providerBaseUrls: old.baseUrls,
  extraCaFile: caFile,
  cellCode: '01',
})
afterAll(() => next.close())

const operatorOf = (world: World, keys: string) => {
  const env = settingsFor(world.database.connection, world.dataFolder)
  return (words: string[], input = PASSPHRASE) =>
    runOperator({ ...env, ENCRYPTION_KEYS: keys }, words, input)
}
const atOld = operatorOf(old, keysOf('old', 1))
const atNext = operatorOf(next, keysOf('next', 2))

/** Works on until neither a service nor the provider has anything to do. */
const settle = (world: World) =>
  waitUntil(
    'nothing moves any more',
    async () => {
      await whatsApp.simulator.idle()
      return !(await world.service.processAll())
    },
    { withinMs: 60_000, everyMs: 0 },
  )

test('an account moves with its waiting run, delivery, resend, contacts, files and appointment', async () => {
  const shop = await whatsApp.openShop()
  const stranger = await createShop(old, { phoneNumberId: 'other', businessAccountId: 'other' })
  const owner = await signedIn(old, { accountId: shop.accountId })
  const company = `/companies/${shop.companyId}`
  const phone = newPhone()
  const runId = await shop.runFor(phone)
  old.receiver.answerWith(500)
  whatsApp.simulator.sendText({ from: newPhone(), phoneNumberId: shop.phoneNumberId, text: 'Hi' })
  await whatsApp.settle()
  old.receiver.answerWith(204)
  const waiting = await deliveriesOf(old, shop, { state: 'pending' })
  expect(waiting.length).toBeGreaterThan(0)
  const fileId = await uploadFile(old, owner, shop.companyId)
  const website = await createWebsite(old, 'web_widget', { shop, owner })
  const visitor = await openWidget(old.url, website.key)
  for (const text of ['Hello', 'Is it open?']) await visitor.say(text)
  await whatsApp.settle()
  const lines = await visitor.messages()
  expect(lines.length).toBeGreaterThan(1)
  const bookable = await bookableShop(old, shop.companyId)
  const serviceId = await bookable.ownService()
  const startsAt = new Date(bookable.aTime().getTime() + 2 * DAY_MS)
  const appointment = booked(await bookable.book({ serviceId, startsAt }))
  await whatsApp.settle()
  const talks = (await owner.ask<Page<ConversationView>>('GET', `${company}/conversations`)).body
  const sent = whatsApp.sentTo(phone).length
  const [resent] = await deliveriesOf(old, shop, { state: 'delivered' })
  const { status } = await owner.ask('POST', `${company}/deliveries/${resent!.id}/resend`)
  expect(status).toBe(201)

  const file = path.join(folder, 'account.tar.gz')
  const exported = await atOld(['export-account', shop.accountId, file, '--stopped'])
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  // The old installation answers and starts nothing more.
  expect(await postHook(shop.hookUrl)).toMatchObject({ http: 503, status: 'service_unavailable' })
  const refused = await owner.ask('POST', `${company}/contacts`, { name: 'x', phone: newPhone() })
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect((await owner.ask('GET', `${company}/conversations`)).status).toBe(200)
  old.clock.advance(10 * MINUTE_MS)
  const received = old.receiver.received.length
  await settle(old)
  expect(old.receiver.received).toHaveLength(received)
  // Another account of the old installation works on.
  expect((await postHook(stranger.hookUrl)).status).toBe('accepted')

  const imported = await atNext(['import-account', file])
  expect(imported).toMatchObject({ code: 0, stderr: '' })
  expect(await accountOf(next, shop)).toMatchObject({ hold: 'arrived' })
  const newUrl = shop.hookUrl.replace(old.url, next.url)
  expect(await postHook(newUrl)).toMatchObject({ http: 503, status: 'service_unavailable' })
  await settle(next)
  expect(old.receiver.received).toHaveLength(received)
  expect(await runOf(next, runId)).toMatchObject({ status: 'waiting' })

  // A customer's answer meets the hold, and comes again by the provider.
  shop.sendWebhooksTo(`${next.url}/webhooks/whatsapp/01`)
  const released = await atNext(['release-account', shop.accountId])
  expect(released).toMatchObject({ code: 0, stderr: '' })
  expect(await atOld(['release-account', shop.accountId, '--moved'])).toMatchObject({ code: 0 })
  expect(await postHook(shop.hookUrl)).toMatchObject({ http: 410, status: 'account_moved' })
  old.clock.advance(MINUTE_MS)
  await settle(next)
  const delivered = old.receiver.received.slice(received).map(({ event }) => event.id)
  for (const { eventId } of [...waiting, resent!]) {
    const id = `evt_${eventId.replaceAll('-', '')}`
    expect(delivered.filter((one) => one === id)).toHaveLength(1)
  }
  whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'Yes' })
  await settle(next)
  expect(await runOf(next, runId)).toMatchObject({ status: 'completed' })
  expect(whatsApp.sentTo(phone)).toHaveLength(sent)
  const completed = old.receiver
    .events('flow.completed')
    .filter(({ company: of }) => of.id === shop.companyId)
  expect(completed.map(({ data }) => (data.run as { id: string }).id)).toEqual([runId])

  const member = await signedIn(next, { accountId: shop.accountId })
  const movedTalks = (await member.ask<Page<ConversationView>>('GET', `${company}/conversations`))
    .body
  expect(movedTalks.items.map(({ id }) => id).toSorted()).toEqual(
    talks.items.map(({ id }) => id).toSorted(),
  )
  const content = await fetch(`${next.url}/api${company}/files/${fileId}/content`, {
    headers: { authorization: `Bearer ${member.token}` },
  })
  expect(Buffer.from(await content.arrayBuffer())).toEqual(PNG)
  const bearer = { headers: { authorization: `Bearer ${visitor.token}` } }
  const shown = await visitorRequest<{ messages: unknown }>(
    next.url,
    'GET',
    '/widget/v1/messages',
    bearer,
  )
  expect(shown.body.messages).toEqual(lines)
  const link = await findByToken(next.service.context, appointment.token)
  expect(link).toMatchObject({ id: appointment.id, startsAt, status: 'confirmed' })
  // The link was sent, and proven, by the old installation.
  const { id: contactId } = await contactWith(old, shop, phone)
  const said = { contactId, broadcastId: old.service.context.ids.uuid() }
  const optOut = `${next.url}/o/${makeOptOutToken(old.service.keyRing, said)}`
  expect((await getPage(optOut, { form: '' })).status).toBe(303)
  expect((await contactWith(next, shop, phone)).optedOutAt).not.toBe(null)
  const foreign = makeOptOutToken(
    createKeyRing([{ id: 'x', key: randomBytes(32) }], systemRandom),
    said,
  )
  expect((await getPage(`${next.url}/o/${foreign}`)).status).toBe(404)
  const order = await postHook(newUrl, undefined, { 'idempotency-key': 'after' })
  expect(order.status).toBe('accepted')
  await settle(next)
  expect(await runOf(old, runId)).toMatchObject({ status: 'waiting' })
})

describe('An import is refused, and changes nothing,', () => {
  const imported = async (file: string, passphrase?: string) => {
    const { code, stderr } = await atNext(['import-account', file], passphrase)
    expect(code).toBe(1)
    return stderr
  }
  const exportOf = async (accountId: string) => {
    const file = path.join(folder, `${accountId}.tar.gz`)
    const exported = await atOld(['export-account', accountId, file, '--stopped'])
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    return file
  }

  test('with another passphrase, of a damaged file, and of a backup', async () => {
    const shop = await createOwnShop(old)
    const file = await exportOf(shop.accountId)
    expect(await imported(file, 'another passphrase that is long')).toContain('not the passphrase')
    expect(await imported(file, 'short')).toContain('at least 16 are needed')
    const damaged = path.join(folder, 'damaged.tar.gz')
    writeFileSync(damaged, readFileSync(file).subarray(0, -100))
    expect(await imported(damaged)).toContain('cannot be restored')
    const backup = path.join(folder, 'backup.tar.gz')
    expect(await atOld(['backup', backup])).toMatchObject({ code: 0 })
    expect(await imported(backup)).toContain('unknown format')
    expect((await atOld(['restore', file])).stderr).toContain('unknown format')
    expect(await accountsThere(next, shop)).toBe(0)
  })

  test('when the account is there already', async () => {
    const shop = await createOwnShop(old)
    const file = await exportOf(shop.accountId)
    expect(await atNext(['import-account', file])).toMatchObject({ code: 0, stderr: '' })
    expect(await imported(file)).toContain('is here already')
  })

  test('when the tables are of another version', async () => {
    const shop = await createOwnShop(old)
    const file = await exportOf(shop.accountId)
    const bytes = gunzipSync(readFileSync(file))
    const at = bytes.lastIndexOf('"checksum": "') + '"checksum": "'.length
    bytes.write(bytes.toString('latin1', at, at + 1) === '0' ? '1' : '0', at)
    writeFileSync(file, gzipSync(bytes))
    expect(await imported(file)).toContain('another version of the service')
    expect(await accountsThere(next, shop)).toBe(0)
  })

  test('when its number is connected there, or a member’s address is another person’s', async () => {
    const shop = await createOwnShop(old)
    await createShop(next, { phoneNumberId: shop.phoneNumberId, businessAccountId: 'b' })
    expect(await imported(await exportOf(shop.accountId))).toContain('channel_route')
    expect(await accountsThere(next, shop)).toBe(0)

    const other = await createOwnShop(old)
    const { email } = await signedIn(old, other)
    await signedIn(next, { ...(await createOwnShop(next)), email })
    expect(await imported(await exportOf(other.accountId))).toContain(email)
    expect(await accountsThere(next, other)).toBe(0)
  })
})

describe('A crafted export is refused, with the table and the row,', () => {
  type Change = Parameters<typeof craftExport>[1]
  /** Imports an export with changed rows. Returns what the command says. */
  async function importCrafted(
    { accountId }: { accountId: string },
    change: Change,
    apart?: string,
  ) {
    const from = path.join(folder, `${accountId}.tar.gz`)
    expect(await atOld(['export-account', accountId, from, '--stopped'])).toMatchObject({ code: 0 })
    const to = `${from}.crafted`
    await craftExport({ from, to, ...(apart !== undefined && { apart }) }, change)
    const { code, stderr } = await atNext(['import-account', to])
    expect(code).toBe(1)
    expect(await accountsThere(next, { accountId })).toBe(0)
    return stderr
  }

  test('when a row belongs to a company of another account', async () => {
    const [shop, victim] = [await createOwnShop(old), await createOwnShop(next)]
    let id = ''
    const said = await importCrafted(shop, (table, row) => {
      if (table !== 'hook_url') return row
      id = row['id']!
      return { ...row, company_id: victim.companyId }
    })
    expect(said).toContain(`hook_url {"id": "${id}"}`)
  })

  test('when a table is in two places of the file, where its rows would be counted separately', async () => {
    const [shop, victim] = [await createOwnShop(old), await createOwnShop(next)]
    for (let times = 0; times < 2; times += 1) await addConversation(old, shop)
    let rows = 0
    const change: Change = (table, row) => {
      if (table !== 'conversation') return row
      rows += 1
      return rows === 1 ? row : { ...row, company_id: victim.companyId }
    }
    const said = await importCrafted(shop, change, 'conversation')
    expect(said).toContain('the table conversation is in several places')
  })

  test.each([
    ['flow_version', 'by a foreign key'],
    ['conversation', 'without a foreign key'],
  ])('when a row of %s refers to a channel of another account %s', async (of) => {
    const [shop, victim] = [await createOwnShop(old), await createOwnShop(next)]
    await addConversation(old, shop)
    const said = await importCrafted(shop, (table, row) =>
      table === of ? { ...row, channel_id: victim.channelId } : row,
    )
    expect(said).toContain(`${of}.channel_id names channel ${victim.channelId}`)
  })

  test('when its company is one of another account', async () => {
    const [shop, victim] = [await createOwnShop(old), await createOwnShop(next)]
    const said = await importCrafted(shop, (table, row) =>
      table === 'company' ? { ...row, account_id: victim.accountId } : row,
    )
    expect(said).toContain(shop.companyId)
  })
})

test('two accounts with one member move one after the other, and the member belongs to both', async () => {
  const shops = [await createOwnShop(old), await createOwnShop(old)] as const
  const { personId, email } = await signedIn(old, shops[0])
  await addMember(old, shops[1], { personId }, 'admin')
  for (const { accountId } of shops) {
    const file = path.join(folder, `${accountId}.tar.gz`)
    await atOld(['export-account', accountId, file, '--stopped'])
    expect(await atNext(['import-account', file])).toMatchObject({ code: 0, stderr: '' })
    await atNext(['release-account', accountId])
  }
  expect(await membershipsOf(next, { personId })).toEqual(
    expect.arrayContaining(shops.map(({ accountId }) => expect.objectContaining({ accountId }))),
  )
  const listed = (await atNext(['list-accounts'])).stdout.split('\n')
  expect(listed.find((line) => line.includes(shops[0].accountId))).toContain(email)
})

test('an account that was not imported works on at its old place, with what waits', async () => {
  const shop = await whatsApp.openShop()
  const phone = newPhone()
  const runId = await shop.runFor(phone)
  const file = path.join(folder, 'kept.tar.gz')
  await atOld(['export-account', shop.accountId, file, '--stopped'])
  expect((await atOld(['list-accounts'])).stdout).toContain('(leaving)')
  await atOld(['release-account', shop.accountId, '--moved'])
  const again = await atOld(['export-account', shop.accountId, `${file}.2`, '--stopped'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('on hold (moved)') })
  expect((await atOld(['list-accounts'])).stdout).toContain('(moved)')
  const refused = await atOld(['release-account', shop.accountId])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--take-back') })
  expect(await atOld(['release-account', shop.accountId, '--take-back'])).toMatchObject({ code: 0 })
  expect((await postHook(shop.hookUrl)).status).toBe('accepted')
  whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text: 'Yes' })
  await whatsApp.settle()
  expect(await runOf(old, runId)).toMatchObject({ status: 'completed' })
})

test('the commands say how they are used', async () => {
  expect((await atOld(['export-account', 'x', 'y'])).stderr).toContain('is not an account id')
  expect((await atOld(['export-account'])).stderr).toContain('Usage: export-account')
  expect((await atOld(['import-account'])).stderr).toContain('Usage: import-account')
  const nobody = old.service.context.ids.uuid()
  expect((await atOld(['release-account', nobody])).stderr).toContain('There is no account')
  const file = path.join(folder, 'none.tar.gz')
  expect((await atOld(['export-account', nobody, file])).stderr).toContain('There is no account')
})
