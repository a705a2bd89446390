import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** The first line names the simulator that the journal belongs to. */
const firstLineOf = (who: string) => JSON.stringify({ journal: who, version: 1 })
const OWNER_ONLY = { mode: 0o600 }

/** A file of entries from which a simulator restores its state. */
export type Journal<Entry> = {
  /** Appends one line. Its entries are stored together or, if the line was cut off, not at all. */
  append: (entries: readonly Entry[]) => void
  /** Replaces the file's content by these entries. */
  rewrite: (entries: readonly Entry[]) => void
}

/**
 * Reads a journal: one list of entries for each whole line, and how many lines could not be read
 * (a process that was killed leaves its last line cut off). No file is an empty journal.
 * @throws Error when the file is something else: it would be overwritten.
 */
export function readJournal(file: string, who: string): { entries: unknown[]; unreadable: number } {
  const [first = '', ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  if (!firstLineOf(who).startsWith(first)) {
    throw new Error(`${file} is not a journal of the ${who}`)
  }
  const entries: unknown[] = []
  let unreadable = 0
  for (const line of lines.filter((text) => text !== '')) {
    try {
      entries.push(...(JSON.parse(line) as unknown[]))
    } catch {
      unreadable += 1
    }
  }
  return { entries, unreadable }
}

/** Opens a journal. Writes are synchronous, so everything that was answered is in the file if the process is killed. */
export function openJournal<Entry>(file: string, who: string): Journal<Entry> {
  mkdirSync(dirname(file), { recursive: true })
  let isTorn = false
  return {
    append(entries) {
      const line = `${JSON.stringify(entries)}\n`
      try {
        // After a write that failed half-way, the next line must not be appended to the incomplete one.
        appendFileSync(file, isTorn ? `\n${line}` : line, OWNER_ONLY)
        isTorn = false
      } catch (error) {
        isTorn = true
        throw error
      }
    },
    rewrite(entries) {
      const lines = entries.map((entry) => `${JSON.stringify([entry])}\n`)
      writeFileSync(`${file}.new`, `${firstLineOf(who)}\n${lines.join('')}`, OWNER_ONLY)
      renameSync(`${file}.new`, file)
      isTorn = false
    },
  }
}
