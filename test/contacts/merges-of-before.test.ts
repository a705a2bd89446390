/** Merges that a database holds from before each conversation kept whose it was. Contacts › Merging. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { inboxOf } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'

const MIGRATION = path.join(import.meta.dirname, '../../migrations/0030_merged_conversations.sql')

const { world, whatsApp } = await openWhatsApp()

test('the migration tells whose each conversation and id was by the number at the merge', async () => {
  const shop = await whatsApp.openShop()
  const inbox = inboxOf({ world, whatsApp }, shop)
  const phone = newPhone()
  const [into, from] = [await inbox.talk(newPhone(), 'hello'), await inbox.talk(phone, 'hello')]
  const [intoId, fromId] = [(await into.seen()).contact!.id, (await from.seen()).contact!.id]
  const owner = await signedIn(world, { accountId: shop.accountId })
  const merge = `/companies/${shop.companyId}/contacts/${intoId}/merge`
  expect((await owner.ask('POST', merge, { fromId })).status).toBe(200)

  const { pool } = world.database.db
  await pool.query(`update contact_merge set phone = null;
    update conversation set merged_from = null; update contact_alias set merged_from = null`)
  const [, filling] = readFileSync(MIGRATION, 'utf8').split('-- Of merges before')
  await pool.query(`-- ${filling}`)
  const rows = async (select: string) => (await pool.query(select)).rows
  expect(await rows('select from_id, phone from contact_merge')).toEqual([
    { from_id: fromId, phone: expect.stringContaining(phone.replace('+', '')) },
  ])
  expect(await rows('select id from conversation where merged_from is not null')).toEqual([
    { id: from.id },
  ])
  expect(await rows('select merged_from from contact_alias where merged_from is not null')).toEqual(
    [{ merged_from: fromId }],
  )
})
