/** A database of version 0031, with rows of every kind, is brought to this version. Operating › Upgrading. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { createTestDatabase } from '../support/database.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { linesOf } from '../support/records/conversations.ts'
import { mergeRecordsOf } from '../support/records/identifiers.ts'
import { cannedRepliesOf, importsOf } from '../support/records/imports.ts'
import { messagesOf } from '../support/records/messages.ts'
import { modelsOf } from '../support/records/models.ts'
import { recordsIn } from '../support/records/records.ts'
import { otherFormOfNumber } from '../support/records/erasing.ts'
import { addRun, runsOf } from '../support/records/runs.ts'
import { runSqlFile } from '../support/records/sql-file.ts'

const ID = '00000000-0000-7000-8000-000000000'
const companyId = `${ID}002`

const database = await createTestDatabase({ empty: true })
const world = recordsIn(database.db)
afterAll(() => database.drop())

beforeAll(async () => {
  await migrate(database.db.pool, undefined, '0030_merged_conversations.sql')
  await runSqlFile(world, 'before-identities.sql')
  await migrate(database.db.pool, undefined, '0031_identities.sql')
  await runSqlFile(world, 'before-import-rows.sql')
  await migrate(database.db.pool)
})

test('an import that was not over is checked again, as its rows were not kept; one that is over stays', async () => {
  const imports = await importsOf(world, { companyId })
  expect(
    imports.map(({ name, state, nextByte, nextRow, rowsFound, created, combined }) =>
      [name, state, nextByte, nextRow, rowsFound, created, combined].join(' '),
    ),
  ).toEqual([
    'uploaded.csv uploaded 12 2  0 0',
    'checking.csv uploaded 12 2  0 0',
    'checked.csv uploaded 12 2  0 0',
    'running.csv uploaded 12 2  0 0',
    'done.csv done 90 6 4 4 0',
    'cancelled.csv cancelled 90 4 4 2 0',
    'failed.csv failed 40 4  0 0',
  ])
  for (const { dueAt, country, encoding, sample } of imports) {
    expect([dueAt, country, encoding, sample]).toEqual([null, null, null, '[]'])
  }
})

test('a merge of before gave and moved nothing that is known', async () => {
  const merges = await mergeRecordsOf(world, { companyId })
  expect(merges.map(({ given, moved }) => [given, moved])).toEqual(merges.map(() => [{}, {}]))
  expect(merges.length).toBe(3)
})

test('a model that was set up does not reason, and is sent no switch before it is tested', async () => {
  const models = await modelsOf(world, { accountId: `${ID}001` })
  expect(
    models.map((model) => [model.thinking, model.thinkingSwitch, model.reasonsAnyway]),
  ).toEqual(Array.from({ length: 3 }, () => ['off', null, false]))
})

test('the key of a hook request is no longer the key of a start by hand, and each is used once', async () => {
  const [hook] = await runsOf(world, { companyId })
  const { flowId, flowVersionId: versionId, channelId, conversationId } = hook!
  const of = { companyId, flowId, versionId, channelId }
  const over = { conversationId, status: 'completed', endedAt: hook!.endedAt }
  const run = (triggerKind: string, idempotencyKey: string) =>
    addRun(world, of, { ...over, triggerKind, idempotencyKey })
  await expect(run('webhook', 'order-1')).rejects.toThrow('flow_run_hook_key')
  await expect(run('manual', 'by-hand')).rejects.toThrow('flow_run_member_key')
  await run('manual', 'order-1')
  await run('webhook', 'by-hand')
})

test('messages and entries of one time stand in the order in which they were written, and new ones after them', async () => {
  const lines = await linesOf(world, 'c_own')
  expect(lines).toEqual(['m_z', 'm_y', `${ID}400`, 'm_x'])
  const messages = await messagesOf(world, { conversationId: 'c_own' })
  expect(messages.map((one) => [one.earlierTexts, one.deletedAt, one.reaction])).toEqual(
    messages.map(() => [[], null, null]),
  )
})

test('an e-mail address is the word of who made the contact, and of a form where a merge took it from there', async () => {
  const contacts = await contactsOf(world, { companyId })
  const given = contacts.filter(({ email }) => email !== null)
  expect(Object.fromEntries(given.map(({ name, emailFrom }) => [name, emailFrom]))).toEqual({
    message0: 'member',
    hook1: 'hook',
    member2: 'member',
    import3: 'import',
    booking_page4: 'booking_page',
    enquiry5: 'enquiry',
    member7: 'enquiry',
    member8: 'member',
  })
  for (const { email, emailFrom } of contacts) expect(email === null).toBe(emailFrom === null)
})

test.each([
  ['5531988888802', '553188888802'],
  ['525512345678', '5215512345678'],
  ['5491123456789', '541123456789'],
  ['966501234567', null],
])('an opt-out that was remembered by another form of %s is found by it: %s', async (key, form) => {
  expect(await otherFormOfNumber(world, key)).toBe(form)
})

test('a saved reply of before is nobody’s: Owners and Admins change it', async () => {
  const replies = await cannedRepliesOf(world, { companyId })
  expect(replies.map(({ shortcut, createdBy }) => [shortcut, createdBy])).toEqual([['hi', null]])
})
