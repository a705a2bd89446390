/** What stands in a form when somebody else has stored it meanwhile, and something is typed in it. */
import { expect, test } from 'vitest'
import { withTyped } from '../../src/dashboard/parts/with-typed.ts'

test('what nobody has typed anew is as it is stored now, and what is typed stays', () => {
  const before = { name: 'Orders', path: '/orders', note: null as string | null }
  const typed = { ...before, path: '/orders/{id}' }
  expect(withTyped(typed, before, { ...before, name: 'All orders', note: 'new' })).toEqual({
    name: 'All orders',
    path: '/orders/{id}',
    note: 'new',
  })
  expect(withTyped(typed, before, { ...before, path: '/v2/orders' })).toEqual(typed)
})

test('fields that stand together in one value are told apart', () => {
  const before = { hours: { sun: ['09:00'], mon: [] as string[] } }
  const typed = { hours: { sun: ['10:00'], mon: [] } }
  const now = { hours: { sun: ['09:00'], mon: ['08:00'] } }
  expect(withTyped(typed, before, now)).toEqual({ hours: { sun: ['10:00'], mon: ['08:00'] } })
})

test('of a list of words what was added and taken off here stays so, and so does what others did', () => {
  const before = { types: ['a', 'b', 'c'] }
  const typed = { types: ['a', 'c', 'mine'] }
  expect(withTyped(typed, before, { types: ['a', 'b', 'c', 'theirs'] })).toEqual({
    types: ['a', 'c', 'theirs', 'mine'],
  })
  expect(withTyped(typed, before, { types: ['b', 'c', 'mine'] })).toEqual({ types: ['c', 'mine'] })
})

test('of rows in their places each is told apart, and where there are more or fewer the typed ones stay', () => {
  const row = (name: string, value: string) => ({ name, value })
  const before = { rows: [row('A', '1'), row('B', '2')] }
  const typed = { rows: [row('A', 'mine'), row('B', '2')] }
  const now = { rows: [row('A', '1'), row('B', 'theirs')] }
  expect(withTyped(typed, before, now)).toEqual({ rows: [row('A', 'mine'), row('B', 'theirs')] })
  expect(withTyped(typed, before, { rows: [row('A', '1')] })).toEqual(typed)
})

test('a credential that is being typed is one thing, whatever kind is stored meanwhile', () => {
  const before = { auth: { kind: 'bearer', token: '' } }
  const typed = { auth: { kind: 'bearer', token: 'secret' } }
  expect(withTyped(typed, before, { auth: { kind: 'none', token: '' } })).toEqual(typed)
})
