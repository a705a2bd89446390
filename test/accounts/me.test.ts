/** A person's own settings: they apply in every account and to no other person. */
import { expect, test } from 'vitest'
import type { MeView } from '../../src/contract/dashboard/me.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { auditLog } from '../support/records/audit.ts'

const world = await openWorld()
const { accountId } = await createShop(world)
const agent = await signedIn(world, { accountId, role: 'agent' })
const other = await signedIn(world, { accountId })

const me = async (by = agent) => (await by.ask<MeView>('GET', '/me')).body
const change = (json: unknown) => agent.ask<MeView>('PATCH', '/me', json)

test('a change affects only the named settings, and every role may make it', async () => {
  const before = await me()
  expect(before).toEqual({
    id: agent.personId,
    email: agent.email,
    name: 'The agent',
    language: null,
    digits: 'latin',
    timeShown: 'local',
  })
  const changed = await change({ language: 'ar', digits: 'arabic' })
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({ ...before, language: 'ar', digits: 'arabic' })
  expect((await change({ timeShown: 'utc' })).body).toEqual({ ...changed.body, timeShown: 'utc' })
  expect((await change({ language: null })).body.language).toBeNull()
  expect((await change({})).body).toEqual(await me())
  expect(await me(other)).toMatchObject({ language: null, digits: 'latin', timeShown: 'local' })
})

test('a new name is audited once, and the same name again changes nothing', async () => {
  expect((await change({ name: '  سارة  ' })).body.name).toBe('سارة')
  expect((await change({ name: 'سارة' })).body.name).toBe('سارة')
  await change({ digits: 'latin' })
  const audit = await auditLog(world, { action: 'person.renamed' })
  const detail = { from: 'The agent', to: 'سارة' }
  const { personId } = agent
  expect(audit).toMatchObject([{ actorId: personId, subjectId: personId, detail }])
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(81) }, 'name'],
  [{ language: 'fr' }, 'language'],
  [{ digits: 'roman' }, 'digits'],
  [{ timeShown: null }, 'timeShown'],
  [{ email: 'new@example.com' }, 'email'],
])('%j is refused with its field named', async (json, field) => {
  const before = await me()
  const answer = await agent.ask('PATCH', '/me', json)
  expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
  expect(answer.body.errors?.map((error) => error.field)).toEqual([field])
  expect(await me()).toEqual(before)
})
