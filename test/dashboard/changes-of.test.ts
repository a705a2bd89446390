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
