/**
 * Lists and searches of a company with many contacts look at about as many rows as they show: asked of the
 * database itself, for the statements that the API asks.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const CONTACTS = 30_000

type Asked = { text: string; values: unknown[] }
type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

// oxlint-disable-next-line typescript/unbound-method -- called with its own client below
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
let asked: Asked[] = []
let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [Partial<Asked> | string]
    if (typeof statement === 'object' && statement.text !== undefined && statement.values) {
      asked.push({ text: statement.text, values: [...statement.values] })
    }
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  const { pool } = world.database.db
  const values = [shop.companyId, CONTACTS]
  await pool.query(
    `insert into contact (id, company_id, name, search_name, phone, email, tags, opted_out_at, created_at, updated_at)
    select gen_random_uuid(), $1, 'Sara ' || n, md5(n::text), '+9665' || lpad(n::text, 8, '0'),
      case when n % 4 = 0 then 'customer' || n || '@example.com' end, case when n % 10 = 0 then array['vip'] else '{}' end,
      case when n % 1000 = 0 then now() end, now(), now()
    from generate_series(1, $2::int) n`,
    values,
  )
  await pool.query(`insert into contact_tag values ($1, 'vip')`, [shop.companyId])
  await pool.query(
    `insert into conversation (id, company_id, channel_id, channel_type, contact_id, filed_under, status,
      handled_by, assignee_id, needs_staff, created_at)
    select 'c_' || row_number() over (), company_id, $2, 'whatsapp', id, phone,
      case when row_number() over () % 10 < 3 then 'open' else 'resolved' end,
      case when row_number() over () % 10 < 2 then 'staff' else 'assistant' end,
      case when row_number() over () % 10 = 1 then $3::uuid end, row_number() over () % 10 = 0, now()
    from contact where company_id = $1`,
    [shop.companyId, shop.channelId, owner.personId],
  )
  await pool.query('vacuum (analyze) contact, conversation')
})
afterAll(async () => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  await world.close()
})

/** Every scan of a table that a page of the API takes. */
async function scansOf(path: string, table: string): Promise<Node[]> {
  asked = []
  const answer = await owner.ask('GET', `/companies/${shop.companyId}${path}`)
  expect(answer.status).toBe(200)
  const statements = asked.filter(({ text }) => text.includes(`from ${table}`))
  expect(statements).not.toEqual([])
  const scans: Node[] = []
  for (const { text, values } of statements) {
    const { rows } = await world.database.db.pool.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    scans.push(...nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan))
  }
  return scans.filter((node) => node['Relation Name'] === table)
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

const rowsLookedAt = (scans: readonly Node[]) =>
  scans.reduce(
    (sum, node) =>
      sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  )

test.each([
  ['a number', '/contacts?q=%2B966500000123', 10],
  ['an e-mail address', '/contacts?q=customer4444@example.com', 10],
  ['who is opted out', '/contacts?optedOut=true&limit=20', 50],
  ['a tag that a tenth of all have', '/contacts?tag=VIP&limit=20', 1_000],
])('The contacts of %s are found among many', async (_, path, most) => {
  expect(rowsLookedAt(await scansOf(path, 'contact'))).toBeLessThanOrEqual(most)
})

test('The conversations of a number are found among many', async () => {
  const scans = await scansOf('/conversations?tab=open&q=%2B966500000123', 'conversation')
  expect(rowsLookedAt(scans)).toBeLessThanOrEqual(10)
})

test('The tabs of the inbox are counted no further than is said', async () => {
  const scans = await scansOf('/conversations/counts', 'conversation')
  expect(scans).toHaveLength(6)
  expect(rowsLookedAt(scans)).toBeLessThanOrEqual(10_000)
})
