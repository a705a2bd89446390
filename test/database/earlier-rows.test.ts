/** What a database of an earlier version holds is read as it was meant. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const ID = '00000000-0000-4000-8000-00000000000'
const CREATED = '2026-11-20T09:00:00.000Z'

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'wasla-migrations-'))
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function migrateUpTo(number: string) {
  const names = await readdir(MIGRATIONS)
  for (const name of names.filter((file) => file.slice(0, 4) < number)) {
    await copyFile(join(MIGRATIONS, name), join(folder, name))
  }
  await migrate(database.db.pool, folder)
}

test('a conversation that a reply took over for ever is given back a day after it; who was told of one is known', async () => {
  await migrateUpTo('0017')
  const { pool } = database.db
  await pool.query(`
    insert into account (id, plan, created_at) values ('${ID}1', 'business', '${CREATED}');
    insert into company (id, account_id, name, created_at) values ('${ID}1', '${ID}1', 'S', '${CREATED}');
    insert into channel (id, company_id, type, provider_route, credentials, is_connected, created_at, updated_at)
      values ('${ID}1', '${ID}1', 'whatsapp', '1', '', true, '${CREATED}', '${CREATED}');
    insert into contact (id, company_id, opted_out_at, created_at, updated_at)
      values ('${ID}1', '${ID}1', '${CREATED}', '${CREATED}', '${CREATED}');
    insert into conversation (id, company_id, channel_id, channel_type, filed_under, handled_by, created_at)
      select id, '${ID}1', '${ID}1', 'whatsapp', id, handled_by, '${CREATED}'
      from (values ('by_owner', 'staff'), ('answered', 'staff'), ('by_hook', 'assistant'),
        ('from_the_future', 'staff')) as made (id, handled_by);
    insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, status,
        occurred_at, created_at)
      select sender || at || conversation_id, '${ID}1', conversation_id, '${ID}1', direction, sender, 'text',
        case direction when 'out' then 'sent' end, at::timestamptz, least(at::timestamptz, '2026-11-21T09:00:00Z')
      from (values ('by_owner', 'out', 'owner_app', '${CREATED}'),
        ('answered', 'in', 'customer', '${CREATED}'),
        ('answered', 'out', 'owner_app', '2026-11-20T10:00:00Z'),
        ('answered', 'out', 'owner_app', '2026-11-20T12:00:00Z'),
        ('from_the_future', 'in', 'customer', '${CREATED}'),
        ('from_the_future', 'out', 'owner_app', '5138-11-16T09:46:39Z'))
        as made (conversation_id, direction, sender, at);
  `)
  await migrate(pool)
  const { rows } = await pool.query<{ id: string; until: Date | null; announced: Date | null }>(
    `select id, taken_over_until as until, announced_at as announced from conversation order by id`,
  )
  const at = (time: string) => new Date(time)
  expect(rows).toEqual([
    { id: 'answered', until: at('2026-11-21T12:00:00Z'), announced: at(CREATED) },
    { id: 'by_hook', until: null, announced: at(CREATED) },
    { id: 'by_owner', until: at('2026-11-21T09:00:00Z'), announced: null },
    { id: 'from_the_future', until: at('2026-11-22T09:00:00Z'), announced: at(CREATED) },
  ])
  const contact = await pool.query(`select opt_out_word_at from contact`)
  expect(contact.rows).toEqual([{ opt_out_word_at: at(CREATED) }])
})
