/** What a later start of the demonstration changes, and what it leaves as a member made it. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { transaction } from '../../src/database/transaction.ts'
import { DEMONSTRATION_COMPANY } from '../../src/demonstration/create-demonstration.ts'
import { demonstrationFiles } from '../../src/demonstration/files.ts'
import { BOOKING_DEFAULTS } from '../../src/limits/appointments.ts'
import { start } from '../../src/start.ts'
import { createEndpoint } from '../../src/endpoints/create-endpoint.ts'
import { demonstrationConfig } from '../support/demonstration.ts'
import { askPage, readText } from '../support/pages.ts'

test('a member’s endpoint stays as it is when the receiver gets another port or a new secret', async () => {
  const { config, database } = await demonstrationConfig()
  const endpoints = () =>
    database.db.kysely
      .selectFrom('endpoint')
      .select(['name', 'url'])
      .where('companyId', '=', DEMONSTRATION_COMPANY)
      .where('deletedAt', 'is', null)
      .orderBy('name')
      .execute()

  const first = await start(config, () => {})
  const own = { name: 'My shop', url: 'https://127.0.0.1:4443/my-shop' }
  const { db, ids, clock } = first.service.context
  await transaction(db, (tx) =>
    createEndpoint(
      tx,
      { ids, keyRing: first.service.keyRing, now: clock.now() },
      { companyId: DEMONSTRATION_COMPANY, ...own, eventTypes: ['ping'] },
    ),
  )
  await first.stop()
  const urlOf = (port: number) => `https://127.0.0.1:${port}/webhooks/wasla`
  const firstPort = first.demonstration!.receiver.port

  // The port may by chance be the same again, which would show nothing.
  let second = await start(config, () => {})
  if (second.demonstration!.receiver.port === firstPort) {
    await second.stop()
    second = await start(config, () => {})
  }
  const demonstration = { name: 'Demonstration receiver' }
  expect(await endpoints()).toEqual([
    { ...demonstration, url: urlOf(second.demonstration!.receiver.port) },
    own,
  ])
  await second.stop()

  rmSync(demonstrationFiles(config.dataFolder).secretFile)
  const third = await start(config, () => {})
  expect(await endpoints()).toEqual([
    { ...demonstration, url: urlOf(third.demonstration!.receiver.port) },
    own,
  ])
  await third.stop()
})

test('the booking page gets another address where somebody has its word already, and the first screen says it', async () => {
  const { config, database } = await demonstrationConfig()
  const [accountId, companyId] = [randomUUID(), randomUUID()]
  const now = new Date()
  const { kysely } = database.db
  const account = { id: accountId, name: 'Earlier', plan: 'business', createdAt: now }
  await kysely.insertInto('account').values(account).execute()
  const company = { id: companyId, accountId, name: 'Earlier', createdAt: now }
  await kysely.insertInto('company').values(company).execute()
  const page = { companyId, ...BOOKING_DEFAULTS, slug: 'demonstration', isOn: true, updatedAt: now }
  await kysely.insertInto('bookingPage').values(page).execute()

  const started = await start(config, () => {})
  const slug = started.demonstration!.bookingSlug!
  expect(slug).toMatch(/^demonstration-[0-9a-f]{12}$/)
  const url = `http://127.0.0.1:${started.port}/b/${slug}`
  const answer = await askPage(url)
  expect([answer.status, readText(answer.text)]).toEqual([
    200,
    expect.stringContaining('Demonstration shop'),
  ])
  expect(writeBanner(config, started)).toContain(`/b/${slug}\n`)
  await started.stop()
})

test('a number that a member has deleted stays deleted, and the next start is one like any', async () => {
  const { config, database } = await demonstrationConfig()
  await (await start(config, () => {})).stop()
  // As a member leaves it who deletes the flows, and then their number.
  const gone = { deletedAt: new Date(), isConnected: false, credentials: '' }
  const { kysely } = database.db
  await kysely.updateTable('flow').set({ publishedVersionId: null }).execute()
  await kysely.updateTable('channel').set(gone).where('type', '=', 'whatsapp').execute()

  const second = await start(config, () => {})
  expect((await askPage(second.demonstration!.simulator.pageUrl)).status).toBe(200)
  const phones = await askPage(`${second.demonstration!.simulator.pageUrl}/api/phones`)
  expect(JSON.parse(phones.text)).toMatchObject({ numbers: [] })
  await second.stop()
  rmSync(demonstrationFiles(config.dataFolder).secretFile)
  await (await start(config, () => {})).stop()
  const left = kysely.selectFrom('channel').select(['isConnected', 'credentials'])
  expect(await left.where('type', '=', 'whatsapp').execute()).toEqual([
    { isConnected: false, credentials: '' },
  ])
})
