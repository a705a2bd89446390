import { expect, test } from 'vitest'
import { knowledgeFileKind } from '../../../src/rules/knowledge/knowledge-file.ts'

const TEXT = Buffer.from('Opening hours: 9 to 5')

test.each([
  ['prices.txt', 'txt'],
  ['Prices.HTM', 'html'],
  ['read.me.markdown', 'md'],
])('a file named %s is read as %s', (name, kind) => {
  expect(knowledgeFileKind(name, TEXT)).toEqual({ ok: true, value: kind })
})

test.each(['prices', 'prices.exe', 'prices.constructor'])('a file named %s is refused', (name) => {
  expect(knowledgeFileKind(name, TEXT)).toEqual({ ok: false, reason: 'unknown' })
})

test.each([
  ['UTF-16', Buffer.from('\ufeffPrices', 'utf16le'), true],
  ['UTF-16, the higher byte first', Buffer.from('\ufeffPrices', 'utf16le').swap16(), true],
  ['binary data', Buffer.from('Prices\0'), false],
])('a file named prices.txt may have %s: %s', (_, bytes, isAccepted) => {
  expect(knowledgeFileKind('prices.txt', bytes).ok).toBe(isAccepted)
})

test.each(['prices.pdf', 'prices.docx'])('a text named %s has other content', (name) => {
  expect(knowledgeFileKind(name, TEXT)).toEqual({ ok: false, reason: 'other_content' })
})
