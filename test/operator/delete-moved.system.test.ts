/** The operator deletes what a moved account left behind. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { unparkWork } from '../../src/workers/park-account.ts'
import { bookableShop, booked } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { postHook } from '../support/post-hook.ts'
import { quickFolder } from '../support/quick-folder.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { refuseDeletes, tablesWith } from '../support/records/erasing.ts'
import { addMember, membershipsOf } from '../support/records/members.ts'
import { runOf } from '../support/records/runs.ts'
import { newPhone } from '../support/simulator.ts'
import { createOwnShop } from '../support/shop.ts'
import { uploadFile } from '../support/upload-file.ts'
import { createWebsite, openWidget } from '../support/visitors.ts'

const folder = mkdtempSync(path.join(quickFolder(), 'wasla-delete-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { world, whatsApp } = await openWhatsApp({ encryptionKeys: OPERATOR_KEYS })
const operator = (words: string[]) =>
  runOperator(
    settingsFor(world.database.connection, world.dataFolder),
    words,
    'a passphrase of the operator',
  )

/** Fills an account with a run, deliveries, a file, a visitor, an appointment and members, and releases it as moved. */
async function moveAway() {
  const shop = await whatsApp.openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const runId = await shop.runFor(newPhone())
  world.receiver.answerWith(500)
  whatsApp.simulator.sendText({ from: newPhone(), phoneNumberId: shop.phoneNumberId, text: 'Hi' })
  await whatsApp.settle()
  world.receiver.answerWith(204)
  await uploadFile(world, owner, shop.companyId)
  const website = await createWebsite(world, 'web_widget', { shop, owner })
  await (await openWidget(world.url, website.key)).say('Hello')
  const bookable = await bookableShop(world, shop.companyId)
  const serviceId = await bookable.ownService()
  const startsAt = new Date(bookable.aTime().getTime() + 2 * DAY_MS)
  booked(await bookable.book({ serviceId, startsAt }))
  await whatsApp.settle()
  return { shop, owner, runId }
}

/** Returns the files of a company in the store. */
const filesOf = (companyId: string) =>
  readdirSync(path.join(world.dataFolder, 'files', companyId), {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile())

const leave = async (accountId: string) => {
  const file = path.join(folder, `${accountId}.tar.gz`)
  expect(await operator(['export-account', accountId, file, '--stopped'])).toMatchObject({
    code: 0,
  })
  expect(await operator(['release-account', accountId, '--moved'])).toMatchObject({ code: 0 })
}

test('nothing of a moved account is left: no row, file or person; other accounts keep all of theirs', async () => {
  const { shop, owner } = await moveAway()
  const { shop: other, runId } = await moveAway()
  // A person who is a member of both accounts stays one of the other.
  const shared = await signedIn(world, shop)
  await addMember(world, other, { personId: shared.personId }, 'admin')
  expect(filesOf(shop.companyId)).toHaveLength(1)
  const [event] = await deliveriesOf(world, shop)
  await leave(shop.accountId)

  const deleted = await operator(['delete-moved', shop.accountId])
  expect(deleted).toMatchObject({ code: 0, stderr: '' })

  const ids = [shop.accountId, shop.companyId, shop.channelId, owner.personId, owner.email]
  // The body of an event names no company.
  for (const id of [...ids, event!.eventId]) {
    expect(await tablesWith(world, id)).toEqual([])
  }
  expect(filesOf(shop.companyId)).toEqual([])
  expect(await postHook(shop.hookUrl)).toMatchObject({ http: 404 })
  expect(await membershipsOf(world, shared)).toMatchObject([{ accountId: other.accountId }])
  expect(await runOf(world, runId)).toMatchObject({ status: 'waiting' })
  expect(filesOf(other.companyId)).toHaveLength(1)
  expect((await postHook(other.hookUrl)).status).toBe('accepted')
  const again = await operator(['delete-moved', shop.accountId])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing is left') })
})

test('a deletion that was interrupted continues, and the account cannot be taken back meanwhile', async () => {
  const { shop, owner } = await moveAway()
  await leave(shop.accountId)
  const allow = await refuseDeletes(world, 'contact')
  expect(await operator(['delete-moved', shop.accountId])).toMatchObject({ code: 1 })
  await allow()
  expect(await tablesWith(world, shop.companyId)).not.toEqual([])
  expect((await owner.ask('GET', '/session')).status).toBe(401)
  const back = await operator(['release-account', shop.accountId, '--take-back'])
  expect(back).toMatchObject({ code: 1, stderr: expect.stringContaining('deletion has begun') })
  expect(await operator(['delete-moved', shop.accountId])).toMatchObject({ code: 0, stderr: '' })
  expect(await tablesWith(world, shop.companyId)).toEqual([])
})

test('an account that is at work, or on its way, is not deleted', async () => {
  const shop = await createOwnShop(world)
  const refused = { code: 1, stderr: expect.stringContaining('has not moved') }
  expect(await operator(['delete-moved', shop.accountId])).toMatchObject(refused)
  const file = path.join(folder, 'leaving.tar.gz')
  await operator(['export-account', shop.accountId, file, '--stopped'])
  expect(await operator(['delete-moved', shop.accountId])).toMatchObject(refused)
  expect((await operator(['delete-moved'])).stderr).toContain('is not an account id')
  const wrong = await operator(['delete-moved', shop.accountId, '--all'])
  expect(wrong.stderr).toContain('Usage: delete-moved')
})

test('work that is still due or in progress keeps a moved account', async () => {
  const { shop } = await moveAway()
  await leave(shop.accountId)
  await unparkWork(world.service.context.db.kysely, shop.accountId)
  const refused = await operator(['delete-moved', shop.accountId])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('still due') })
  expect(await tablesWith(world, shop.companyId)).not.toEqual([])
})
