import { expect, test } from 'vitest'
import { DELIVERY_LIMITS } from '../limits.ts'
import { fitBody } from './fit-body.ts'

const envelope = (variables: Record<string, string | null>) => ({
  id: 'evt_0123456789abcdef0123456789abcdef',
  type: 'flow.completed',
  apiVersion: '2026-10',
  createdAt: '2026-11-21T09:00:00.000Z',
  test: false,
  company: { id: '00000000-0000-4000-8000-000000000000', name: null },
  data: { run: { variables } },
})

test('a body within 64 KB is the JSON of the envelope, Arabic unescaped', () => {
  const made = envelope({ answer: 'نعم' })
  expect(fitBody(made).toString('utf8')).toBe(JSON.stringify(made))
})

test('of a body over 64 KB the longest variables are shortened and the JSON stays valid', () => {
  const made = envelope({ long: '😀'.repeat(30_000), longer: 'ب'.repeat(60_000), short: 'kept' })
  const body = fitBody(made)
  expect(body.length).toBeLessThanOrEqual(DELIVERY_LIMITS.bodyBytes)
  const { variables } = (JSON.parse(body.toString('utf8')) as typeof made).data.run
  expect(variables.short).toBe('kept')
  expect(variables.long!.isWellFormed()).toBe(true)
  expect(made.data.run.variables.longer).toHaveLength(60_000)
})
