import { SIMULATOR_LIMITS } from '../limits.ts'
import type { SimulatorLog } from '../provider.ts'
import { createBook, listEntries, writeEntry } from './book.ts'
import type { Book, Entry } from './book.ts'
import { openJournal, readJournal } from '../journal.ts'

/** The state of the simulator, and the only function that changes it. */
export type Ledger = {
  readonly book: Book
  /** Writes entries that belong together: to the journal first, then to the book. */
  commit: (entries: readonly Entry[]) => void
  /** Registers a listener for every commit. Returns a function that removes it. */
  onCommit: (listener: (entries: readonly Entry[]) => void) => () => void
}

const WHO = 'whatsapp-simulator'

/**
 * Opens the WhatsApp simulator's state and the journal that stores it. With a file, the state of earlier processes is
 * restored, and the file is rewritten without superseded entries. With null nothing is stored.
 * @throws Error if the file cannot be used.
 */
export function openLedger(journalFile: string | null, log: SimulatorLog): Ledger {
  const book = createBook()
  const listeners = new Set<(entries: readonly Entry[]) => void>()
  const journal = journalFile === null ? null : openJournal<Entry>(journalFile, WHO)
  let lines = 0
  let isFull = false

  if (journalFile !== null && journal !== null) {
    const { entries, unreadable } = readJournal(journalFile, WHO)
    for (const entry of entries as Entry[]) {
      writeEntry(book, entry)
    }
    if (unreadable > 0) {
      log(`Simulator: left out what cannot be read of ${journalFile} (lines: ${unreadable})`)
    }
    journal.rewrite(listEntries(book))
  }

  /** Compacts the journal. A failure is ignored, because the entries are already written. */
  function compact(): void {
    try {
      journal?.rewrite(listEntries(book))
    } catch (error) {
      log(`Simulator: ${journalFile} could not be shortened: ${String(error)}`)
    }
  }

  return {
    book,
    commit(entries) {
      journal?.append(entries)
      for (const entry of entries) {
        writeEntry(book, entry)
      }
      lines += 1
      if (lines >= SIMULATOR_LIMITS.linesBeforeCompaction) {
        lines = 0
        compact()
      }
      const wasFull = isFull
      isFull = book.webhooks.size >= SIMULATOR_LIMITS.waitingWebhooks
      if (isFull && !wasFull) {
        log(`Simulator: ${book.webhooks.size} webhooks wait; the oldest are deleted`)
      }
      for (const listener of listeners) {
        listener(entries)
      }
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
