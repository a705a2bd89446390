import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from './time.ts'

/** Writes one line that a person should know. */
export type SimulatorLog = (line: string) => void

/** What every simulator is made with. */
export type Around = {
  /** Where all of them answer, without a slash at the end: `http://127.0.0.1:4081`. */
  origin: string
  clock: Clock
  log: SimulatorLog
}

/**
 * A provider that is played. Its API answers below `/simulator/<name>/`, its phones are the page at
 * `/simulator/<name>`, which is the same for all of them.
 */
export type SimulatedProvider = {
  /** In addresses. Lower-case letters and `_`; neither `graph` nor `api`. */
  name: string
  /** On its tab, and in "nothing is sent to …". */
  title: string
  /** The base URL of its API, without a slash at the end: `origin`/simulator/`name`. */
  baseUrl: string
  /** Answers a request to its API. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  phones: Phones
  /** Resolves when nothing moves any more and every webhook is answered or set aside. */
  idle(): Promise<void>
  /** Stops at once. */
  close(): Promise<void>
}

/** What the phones of a provider show and do. The page draws it, and gives actions back as they are. */
export type Phones = {
  /** What the provider calls who is written to: "Bot", "Page". */
  accountLabel: string
  /** Whom a new phone asks for, as fields of its `addPerson` action. */
  newPerson: { name: string; label: string; placeholder: string }[]
  /** Without an account the first one. */
  list(accountId: string | null): PhoneList
  chat(place: ChatPlace): PhoneChat
  /** @throws Error with a sentence for the page where it cannot be done. */
  act(action: PhoneAction): unknown
  /** Bytes of a file that a message shows; undefined where there is none. */
  file(id: string): { bytes: Buffer; mimeType: string } | undefined
  /** Told after every change; gives back how to stop listening. */
  onChange(listener: () => void): () => void
}

export type ChatPlace = { accountId: string; personId: string }

/** `action` names it; the rest is the provider's own. The page adds the place of the open chat. */
export type PhoneAction = { action: string } & Partial<ChatPlace> & Record<string, unknown>

export type PhoneList = {
  chosen: string | null
  accounts: { id: string; label: string }[]
  people: { id: string; name: string; detail: string; lastText: string; unread: number }[]
  /** What still waits to be delivered to us, in words; empty when nothing does. */
  waiting: string
}

export type PhoneChat = {
  name: string
  detail: string
  /** A word on the state of the chat, and whether it is good. */
  badge: { text: string; isOn: boolean } | null
  messages: PhoneMessage[]
  /** So long it is shown that the business writes; 0 or none: it does not. */
  typingMs?: number
  /** What else can happen here; `isOn` of those that are switched. */
  tools: { label: string; action: PhoneAction; isOn?: boolean }[]
}

export type PhoneMessage = {
  id: string
  from: 'customer' | 'business' | 'owner'
  /** Milliseconds since 1970. */
  at: number
  text: string
  /** A file of it that can be shown or heard. */
  file?: { kind: 'image' | 'audio' | 'video' | 'document'; id: string }
  /** Without an action a button cannot be tapped. */
  buttons: { text: string; action: PhoneAction | null }[]
  /** Beside the time: `✓✓`, "edited", … */
  note: string
}
