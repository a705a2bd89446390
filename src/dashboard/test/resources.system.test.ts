/** Requests of the API client, and the queries that a change reads again. Spec: Dashboard › Live updates. */
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { queries as Queries } from '../app/queries.ts'
import type { Api } from '../app/resources.ts'

type Modules = {
  Api: new (companyId: string) => Api
  queries: typeof Queries
}

let modules: Modules
const asked: { address: string; method: string | undefined; body: unknown }[] = []
let answer = { status: 200, body: {} as unknown }

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' })
  vi.stubGlobal('fetch', async (address: string, { method, body }: RequestInit) => {
    asked.push({ address, method, body })
    return Response.json(answer.body, { status: answer.status })
  })
  const { Api: Made } = await import('../app/resources.ts')
  const { queries } = await import('../app/queries.ts')
  modules = { Api: Made, queries }
})

beforeEach(() => {
  asked.length = 0
  answer = { status: 200, body: {} }
  modules.queries.clear()
})

/** Caches a value under each key, and returns a function that lists the invalidated ones. */
function keep(keys: Readonly<Record<string, readonly unknown[]>>): () => string[] {
  const { queries } = modules
  for (const key of Object.values(keys)) queries.setQueryData(key, {})
  return () =>
    Object.keys(keys).filter((name) => queries.getQueryState(keys[name]!)?.isInvalidated === true)
}

test('a path is filled with ids of any sign, and what is empty is not asked for', async () => {
  const api = new modules.Api('c1')
  await api.read('conversations/:conversationId/timeline', { conversationId: 'a/b?c', limit: 5 })
  await api.read('leads', { q: '', temperature: undefined, sort: 'best' })
  expect(asked.map(({ address }) => address)).toEqual([
    '/api/companies/c1/conversations/a%2Fb%3Fc/timeline?limit=5',
    '/api/companies/c1/leads?sort=best',
  ])
})

test('after a change all that shows things of the resource is read again, of that company alone', async () => {
  const [api, other] = [new modules.Api('c1'), new modules.Api('c2')]
  const readAgain = keep({
    list: api.items('contact-fields').queryKey,
    contact: api.get('contacts/:contactId', { contactId: 'x' }).queryKey,
    usage: api.get('usage').queryKey,
    others: other.items('contact-fields').queryKey,
  })
  await api.patch('contact-fields/:fieldId', { fieldId: 'f1' }, { label: 'Size' })
  expect(asked).toEqual([
    { address: '/api/companies/c1/contact-fields/f1', method: 'PATCH', body: '{"label":"Size"}' },
  ])
  expect(readAgain()).toEqual(['list', 'contact'])
})

test.each([
  { status: 409, cause: 'a conflicting change', again: ['lead'] },
  { status: 404, cause: 'a missing entity', again: ['lead'] },
  { status: 422, cause: 'an invalid field', again: [] },
])('a refusal because of $cause reads again $again', async ({ status, again }) => {
  const api = new modules.Api('c1')
  const readAgain = keep({ lead: api.get('leads/:leadId', { leadId: 'l1' }).queryKey })
  answer = { status, body: {} }
  await expect(api.post('leads/:leadId/win', { leadId: 'l1' })).rejects.toMatchObject({ status })
  expect(readAgain()).toEqual(again)
})

test('the account and what only asks: one reads its own lists again, the other nothing', async () => {
  const api = new modules.Api('c1')
  const readAgain = keep({
    models: api.get('/models').queryKey,
    assistant: api.get('assistant').queryKey,
    leads: api.list('leads').queryKey,
  })
  await api.call('post', 'segments/count', { filter: {} })
  expect(readAgain()).toEqual([])
  await api.delete('/models/:modelId', { modelId: 'm1' })
  expect(asked.at(-1)).toMatchObject({ address: '/api/models/m1', method: 'DELETE' })
  expect(readAgain()).toEqual(['models', 'assistant'])
})
