/** The state of the simulated product: people, messages and files. It is stored in a file, if one is given. */
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { SIMULATOR_LIMITS } from '../limits.ts'

/** A person as one account sees them. */
export type Person = {
  /** The id of the person, scoped to the page or Instagram account: each account sees another one. */
  id: string
  accountId: string
  name: string
  lastWroteAt: number | null
  hasBlocked: boolean
  isInAnotherApp: boolean
}

/** A file or a shared post in a message, in Meta's form. */
export type Attachment = { type: string; payload: Record<string, unknown> }

/** A stored message between an account and a person. */
export type Said = {
  mid: string
  accountId: string
  personId: string
  from: 'customer' | 'business' | 'owner'
  at: number
  text: string | null
  attachments: Attachment[]
  quickReplies: { title: string; payload: string }[]
  status: 'sent' | 'delivered' | 'read'
  note: string
  isRead: boolean
}

type Kept = { people: Person[]; said: Said[]; serial: number }

const EMPTY: Kept = { people: [], said: [], serial: 0 }

/** The state of the simulated product. */
export type Book = ReturnType<typeof openBook>

/** Opens the state of Messenger or Instagram, its people and messages, which is stored in `file` if one is given. */
export function openBook(file: string | null, log: (line: string) => void) {
  const kept = file === null ? structuredClone(EMPTY) : read(file, log)
  let isWriting = false

  function write(): void {
    isWriting = false
    if (file === null) return
    try {
      writeFileSync(`${file}.new`, JSON.stringify(kept))
      renameSync(`${file}.new`, file)
    } catch (error) {
      log(`Simulator: ${file} could not be written: ${String(error)}`)
    }
  }

  return {
    people: () => kept.people,
    said: () => kept.said,
    person: (accountId: string, personId: string) =>
      kept.people.find(({ id, accountId: of }) => id === personId && of === accountId),
    addPerson(accountId: string, name: string, id = newPersonId()): Person {
      const person = { id, accountId, name, lastWroteAt: null, hasBlocked: false }
      const made: Person = { ...person, isInAnotherApp: false }
      kept.people.push(made)
      kept.people.splice(0, kept.people.length - SIMULATOR_LIMITS.people)
      return made
    },
    say(one: Omit<Said, 'mid'> & { mid?: string }): Said {
      const made: Said = { mid: `m_SIM${newSerial()}`, ...one }
      kept.said.push(made)
      kept.said.splice(0, kept.said.length - SIMULATOR_LIMITS.messages)
      return made
    },
    thread: (accountId: string, personId: string) =>
      kept.said.filter((one) => one.accountId === accountId && one.personId === personId),
    find: (mid: string) => kept.said.find((one) => one.mid === mid),
    /** Saves the state. The caller calls it after every change. */
    changed(): void {
      if (isWriting) return
      isWriting = true
      setImmediate(write)
    },
    flush: write,
  }

  function newSerial(): string {
    kept.serial += 1
    return `${String(kept.serial).padStart(6, '0')}_${randomInt(2 ** 47).toString(36)}`
  }
}

const newPersonId = () => String(randomInt(2 ** 46, 2 ** 47)).padEnd(16, '7')

function read(file: string, log: (line: string) => void): Kept {
  if (!existsSync(file)) return structuredClone(EMPTY)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept
  } catch (error) {
    log(`Simulator: ${file} cannot be read; the simulator starts without it: ${String(error)}`)
    return structuredClone(EMPTY)
  }
}
