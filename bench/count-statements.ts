/**
 * Loaded into the service before it starts: writes down how many statements its process has asked, and
 * with `TEXTS_FILE` which of them how often, and for how long each kind was waited in all.
 */
import { renameSync, writeFileSync } from 'node:fs'
import pg from 'pg'

const { STATEMENTS_FILE, TEXTS_FILE } = process.env
let asked = 0
const texts = new Map<string, { asked: number; ms: number }>()
// oxlint-disable-next-line typescript/unbound-method -- called with its own client below
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  asked += 1
  const answer = query.apply(this, args)
  if (TEXTS_FILE) count(args[0], answer)
  return answer
} as typeof pg.Client.prototype.query

function count(statement: unknown, answer: unknown) {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
  const key = keyOf(text)
  const of = texts.get(key) ?? { asked: 0, ms: 0 }
  texts.set(key, of)
  of.asked += 1
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

/** Whoever reads it finds all of it. */
function tell(file: string, text: string) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

setInterval(() => {
  tell(STATEMENTS_FILE!, String(asked))
  if (TEXTS_FILE) tell(TEXTS_FILE, JSON.stringify([...texts]))
}, 500).unref()
