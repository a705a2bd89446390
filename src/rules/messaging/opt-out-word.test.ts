import { expect, test } from 'vitest'
import { readOptOutWord } from './opt-out-word.ts'

test('a message that is only STOP or START, trimmed, in any case', () => {
  for (const text of ['STOP', 'stop', ' Stop\n']) expect(readOptOutWord(text)).toBe('stop')
  for (const text of ['START', 'start', '\tsTaRt ']) expect(readOptOutWord(text)).toBe('start')
})

test.each([
  '',
  'STOP.',
  'please stop',
  'stop it',
  'unstop',
  'ＳＴＯＰ',
  '\u017ftop',
  'توقف',
  'restart',
])('any other message is none: %j', (text) => expect(readOptOutWord(text)).toBeNull())
