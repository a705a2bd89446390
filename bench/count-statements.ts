/**
 * Preloaded into the service: writes down how many statements its process has sent. With `TEXTS_FILE` it also writes
 * how often each was sent, and its total time.
 */
import { renameSync, writeFileSync } from 'node:fs'
import pg from 'pg'

const { STATEMENTS_FILE, TEXTS_FILE } = process.env
let calls = 0
const texts = new Map<string, { calls: number; ms: number }>()
// oxlint-disable-next-line typescript/unbound-method -- called with its own client below
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  calls += 1
  const answer = query.apply(this, args)
  if (TEXTS_FILE) count(args[0], answer)
  return answer
} as typeof pg.Client.prototype.query

function count(statement: unknown, answer: unknown) {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
  const key = keyOf(text)
  const of = texts.get(key) ?? { calls: 0, ms: 0 }
  texts.set(key, of)
  of.calls += 1
  const began = performance.now()
  const end = () => {
    of.ms += performance.now() - began
  }
  if (answer instanceof Promise) answer.then(end, end)
}

/** Statements are few, and long. */
const keys = new Map<string, string>()
function keyOf(text: string): string {
  const known = keys.get(text)
  if (known !== undefined) return known
  const key = text.replaceAll(/\s+/g, ' ').trim().slice(0, 3_000)
  keys.set(text, key)
  return key
}

/** Writes a file atomically, so that readers find all of it. */
function writeWhole(file: string, text: string) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

setInterval(() => {
  writeWhole(STATEMENTS_FILE!, String(calls))
  if (TEXTS_FILE) writeWhole(TEXTS_FILE, JSON.stringify([...texts]))
}, 500).unref()
