import { expect, test } from 'vitest'
import { parseOptOutKeyword } from '../../../src/rules/messaging/opt-out-word.ts'

test('a message that is only STOP or START, trimmed, in any case', () => {
  for (const text of ['STOP', 'stop', ' Stop\n']) expect(parseOptOutKeyword(text)).toBe('stop')
  for (const text of ['START', 'start', '\tsTaRt ']) expect(parseOptOutKeyword(text)).toBe('start')
})

test('invisible marks, as keyboards for Arabic put around a word in Latin letters, change nothing', () => {
  for (const text of [
    '\u200fSTOP',
    '\u202aSTOP\u202c',
    ' \u2066 stop \u2069 ',
    '\ufeffSTOP\u200e',
  ]) {
    expect(parseOptOutKeyword(text)).toBe('stop')
  }
  expect(parseOptOutKeyword('START\u200f\n')).toBe('start')
})

test.each([
  '',
  '\u200f',
  'STOP.',
  'please stop',
  'stop it',
  'unstop',
  'ＳＴＯＰ',
  '\u017ftop',
  'توقف',
  'restart',
])('any other message is no keyword: %j', (text) => expect(parseOptOutKeyword(text)).toBeNull())
