/**
 * Lists and searches in a company with many contacts read about as many rows as they show, by the database's own count
 * for the statements of the API.
 */
import { afterAll, expect, test } from 'vitest'
import { rowsLookedAt, watchScans } from '../support/scans.ts'
import { openOwnedShop } from '../support/owned-shop.ts'

const CONTACTS = 30_000
/** The contacts of another company. */
const OTHERS = 3_000

const scans = watchScans()
const { world, shop, owner } = await openOwnedShop({ hasOwnDatabase: true })
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
await pool.query(
  `insert into identity (id, company_id, contact_id, created_at)
    select id, company_id, id, created_at from contact where company_id = $1`,
  [shop.companyId],
)
await pool.query(
  `insert into identifier (company_id, identity_id, kind, key, value, proof, first_at)
    select company_id, id, 'number', substr(phone, 2), substr(phone, 2), 'import', created_at
    from contact where company_id = $1`,
  [shop.companyId],
)
await pool.query(`insert into contact_tag values ($1, 'vip')`, [shop.companyId])
await pool.query(
  `insert into conversation (id, company_id, channel_id, channel_type, contact_id, identity_id, filed_under, status,
      handled_by, assignee_id, needs_staff, created_at)
    select 'c_' || row_number() over (), company_id, $2, 'whatsapp', id, id, phone,
      case when row_number() over () % 10 < 3 then 'open' else 'resolved' end,
      case when row_number() over () % 10 < 2 then 'staff' else 'assistant' end,
      case when row_number() over () % 10 = 1 then $3::uuid end, row_number() over () % 10 = 0, now()
    from contact where company_id = $1`,
  [shop.companyId, shop.channelId, owner.personId],
)
// The contacts of the other company are newer, so a scan in order of the key would read them all
// first.
const stranger = '01890000-0000-7000-8000-000000000001'
await pool.query(`insert into account (id, plan, created_at) values ($1, 'business', now())`, [
  stranger,
])
await pool.query(
  `insert into company (id, account_id, name, created_at) values ($1, $1, 'Other', now())`,
  [stranger],
)
await pool.query(
  `insert into contact (id, company_id, name, tags, created_at, updated_at)
    select ('ffffffff-' || substr(gen_random_uuid()::text, 10))::uuid, $1, 'Other ' || n,
      case when n % 10 = 0 then array['vip'] else '{}' end, now(), now()
    from generate_series(1, $2::int) n`,
  [stranger, OTHERS],
)
await pool.query('vacuum (analyze) contact, identity, identifier, conversation')
afterAll(async () => {
  scans.stop()
})

const scansOf = async (path: string, table: string) => {
  const looked = await scans.of(world.database.db, table, async () => {
    const answer = await owner.ask('GET', `/companies/${shop.companyId}${path}`)
    expect(answer.status).toBe(200)
  })
  return looked
}

test.each([
  ['a number', '/contacts?q=%2B966500000123', 10],
  ['an e-mail address', '/contacts?q=customer4444@example.com', 10],
  ['a company', '/contacts?limit=20', 21],
  ['who is not opted out', '/contacts?optedOut=false&limit=20', 50],
  ['who is opted out', '/contacts?optedOut=true&limit=20', 50],
  ['a tag that a tenth of all have', '/contacts?tag=VIP&limit=20', 1_000],
])('The contacts of %s are read without a scan of all', async (_, path, max) => {
  expect(rowsLookedAt(await scansOf(path, 'contact'))).toBeLessThanOrEqual(max)
})

test('The conversations of a number are read without a scan of all', async () => {
  const looked = await scansOf('/conversations?tab=open&q=%2B966500000123', 'conversation')
  expect(rowsLookedAt(looked)).toBeLessThanOrEqual(10)
})

test('The tabs of the inbox are counted only up to the limit', async () => {
  const looked = await scansOf('/conversations/counts', 'conversation')
  expect(looked).toHaveLength(6)
  expect(rowsLookedAt(looked)).toBeLessThanOrEqual(10_000)
})
