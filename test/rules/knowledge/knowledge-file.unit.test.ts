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

test.each(['prices.pdf', 'prices.docx'])('a text named %s has other content', (name) => {
  expect(knowledgeFileKind(name, TEXT)).toEqual({ ok: false, reason: 'other_content' })
})
