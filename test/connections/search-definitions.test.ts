/** Lists of users search flow definitions, which are long: the pages that they read, as the database counts them. */
import { afterAll, expect, test } from 'vitest'
import { pagesOf } from '../support/ended-rows.ts'
import { openOwnedShop } from '../support/owned-shop.ts'
import { createRandom } from '../support/random.ts'
import { addDrafts } from '../support/records/flows.ts'
import { copyTemplates } from '../support/records/templates.ts'
import { connectApi } from '../support/shop-api.ts'
import { watchStatements, type Statement } from '../support/statements.ts'

const DEFINITIONS = 16
const DEFINITION_BYTES = 500_000
const PAGES_OF_ONE = DEFINITION_BYTES / 8_192
/** The numbers of connections and of templates. */
const TEXTS = 10

let statements: Statement[] = []
afterAll(watchStatements((statement) => statements.push(statement)))
const { world, shop, owner } = await openOwnedShop({ hasOwnDatabase: true })
const { pool } = world.database.db
const random = createRandom('definitions')
/** A text that the database cannot compress. */
const text = Array.from({ length: DEFINITION_BYTES / 10 }, () =>
  random().toString(36).slice(2, 12).padEnd(10, '-'),
).join('')
await addDrafts(world, shop, { count: DEFINITIONS, definition: { text } })
const names = Array.from({ length: TEXTS }, (_, nth) => `order_${nth}`)
await copyTemplates(world, shop, names)
for (const path of names) await connectApi(world, { ...shop, baseUrl: `https://shop.test/${path}` })

test.each(['templates', 'connection-users'])(
  'A list of %s reads each flow definition once, and few of the long ones in one statement',
  async (list) => {
    statements = []
    const { status } = await owner.ask('GET', `/companies/${shop.companyId}/${list}`)
    expect(status).toBe(200)
    const pages: number[] = []
    for (const statement of statements.filter((one) => /\bflow_version\b/.test(one.text))) {
      pages.push(await pagesOf(pool, statement))
    }
    expect(Math.max(...pages)).toBeLessThan(8 * PAGES_OF_ONE)
    const total = pages.reduce((sum, each) => sum + each, 0)
    expect(total).toBeGreaterThan(DEFINITIONS * PAGES_OF_ONE)
    expect(total).toBeLessThan(1.5 * DEFINITIONS * PAGES_OF_ONE)
  },
)
