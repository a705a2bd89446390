/** What a form sends, where others may have changed the rest meanwhile. */
import { expect, test } from 'vitest'
import { changesOf } from '../../src/dashboard/parts/changes-of.ts'

const SHOWN = { name: 'Dar Al Bun', timeZone: 'Asia/Riyadh', intro: null, isOn: false }

test('only what is another than what was shown is sent', () => {
  expect(changesOf(SHOWN, SHOWN)).toEqual({})
  expect(changesOf(SHOWN, { ...SHOWN, name: 'Dar Al Qahwa', isOn: true })).toEqual({
    name: 'Dar Al Qahwa',
    isOn: true,
  })
})

test('what is emptied is sent as well, and what was not shown', () => {
  expect(changesOf(SHOWN, { name: '', intro: null, key: 'a secret' })).toEqual({
    name: '',
    key: 'a secret',
  })
})

test('a list or an object is another where it holds something else', () => {
  const shown = { origins: ['https://a.example'], statement: { en: 'Yes?', ar: null } }
  expect(changesOf(shown, structuredClone(shown))).toEqual({})
  expect(changesOf(shown, { ...shown, origins: ['https://b.example'] })).toEqual({
    origins: ['https://b.example'],
  })
})
