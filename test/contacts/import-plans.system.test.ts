/** An import into empty tables, of which PostgreSQL has no statistics yet. Contacts › Import. */
import { expect, test } from 'vitest'
import { CONTACT_JOBS } from '../../src/core/limits/contacts.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { rowsReadWhole } from '../support/records/imports.ts'
import { importsOf } from '../support/upload-contacts.ts'

const world = await openWorld({ hasOwnDatabase: true })
const { shop, owner } = await ownedShop(world, { eventTypes: ['message.received'] })

test('An import reads none of its tables in full for a page', async () => {
  const rows = Array.from({ length: 6 * CONTACT_JOBS.page }, (_, nth) => {
    // Every second row gives its number to the contact of the row before.
    const email = `s${Math.floor(nth / 2)}@x.example`
    return nth % 2 === 0 ? `Sara,,${email},,` : `Sara,+9665${10_000_000 + nth},${email},,`
  })
  const done = await importsOf(world, { shop, owner }).importPage(rows.join('\n'))
  expect(done).toMatchObject({ created: rows.length / 2, updated: rows.length / 2 })
  expect(await rowsReadWhole(world)).toBeLessThan(rows.length)
})
