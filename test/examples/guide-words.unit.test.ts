/** What the guides say of the dashboard, in the words of its screens: what they print in bold stands on one. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Entry, Words } from '../../src/dashboard/words/define-words.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const DASHBOARD = path.join(PROJECT, 'src/dashboard')
const GUIDES = globSync('docs/guides/*.md', { cwd: PROJECT })
/** What differs from reader to reader, and as little of a text as can be recognised beside it. */
const VALUE = /\\\{\w+\\\}/g
const LEAST_CHARS = 4

const modules = await Promise.all(
  globSync('**/{words,words-*,*-words}.ts', { cwd: DASHBOARD, exclude: ['node_modules/**'] }).map(
    (file) => import(path.join(DASHBOARD, file)) as Promise<Record<string, Words>>,
  ),
)
const texts = modules
  .flatMap((module) => Object.values(module))
  .flatMap((table) => Object.values(table.en ?? {}))
  .flatMap((entry: Entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
const isLong = (text: string) => text.replaceAll(/\{\w+\}/g, '').trim().length >= LEAST_CHARS
const exact = new Set(texts.filter((text) => !text.includes('{')))
const patterns = texts
  .filter((text) => text.includes('{') && isLong(text))
  .map((text) => new RegExp(`^${RegExp.escape(text).replaceAll(VALUE, '.+')}$`))

/** The parts of a guide that are about the dashboard. */
function dashboardParts(guide: string): string[] {
  const text = readFileSync(path.join(PROJECT, guide), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '')
  return text.split(/^(?=##)/m).filter((part) => /^#{2,3} In the dashboard$/m.test(part))
}

const boldIn = (part: string) =>
  [...part.matchAll(/\*\*([^*]+)\*\*/g)].map(([, bold]) => bold!.replaceAll(/\s+/g, ' '))

test('guides for merchants begin with the dashboard', () => {
  const without = GUIDES.filter((guide) => dashboardParts(guide).length === 0)
  expect(without.map((guide) => path.basename(guide, '.md')).toSorted()).toEqual([
    // The operator's, and what a program has to send.
    'operating',
    'starting-a-flow',
    'upgrading',
  ])
})

test.for(GUIDES)('%s names what stands on a screen', (guide) => {
  const names = dashboardParts(guide).flatMap(boldIn)
  const unknown = names.filter(
    (name) => !exact.has(name) && !patterns.some((pattern) => pattern.test(name)),
  )
  expect(unknown).toEqual([])
})
