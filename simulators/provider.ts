import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from './time.ts'

/** A function that writes one line for a person. */
export type SimulatorLog = (line: string) => void

/** The environment in which every simulator is created. */
export type SimulatorEnvironment = {
  /** The base URL of all simulators, without a slash at the end: `http://127.0.0.1:4081`. */
  origin: string
  clock: Clock
  log: SimulatorLog
}

/**
 * A simulated provider. Its API is below `/simulator/<name>/`, and its phones are the page at `/simulator/<name>`,
 * which is the same for all providers.
 */
export type SimulatedProvider = {
  /** The name in URLs: lower-case letters and `_`, neither `graph` nor `api`. */
  name: string
  /** The name on its tab, and in "nothing is sent to …". */
  title: string
  /** The base URL of its API, without a slash at the end: `origin`/simulator/`name`. */
  baseUrl: string
  /** Answers a request to its API. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  phones: Phones
  /** Resolves when no work is left and every webhook is answered or given up. */
  idle(): Promise<void>
  /** Stops immediately. */
  close(): Promise<void>
}

/** The contents and actions of a provider's phones. The page draws the contents and returns actions unchanged. */
export type Phones = {
  /** The provider's name for the account that customers write to: "Bot", "Page". */
  accountLabel: string
  /** Fields of the `addPerson` action that creates a new phone. */
  newPerson: { name: string; label: string; placeholder: string }[]
  /** Lists the phones of an account; null means the first account. */
  list(accountId: string | null): PhoneList
  chat(place: ChatPlace): PhoneChat
  /** @throws Error with a sentence for the page where it cannot be done. */
  act(action: PhoneAction): unknown
  /** Returns the bytes of a file in a message, or undefined for an unknown one. */
  file(id: string): { bytes: Buffer; mimeType: string } | undefined
  /** Registers a listener for every change. Returns a function that removes it. */
  onChange(listener: () => void): () => void
}

/** A chat, by its account and its person. */
export type ChatPlace = { accountId: string; personId: string }

/** An action, named by `action`, with fields of the provider. The page adds the ids of the open chat. */
export type PhoneAction = { action: string } & Partial<ChatPlace> & Record<string, unknown>

/** The left list of the page: accounts and phones. */
export type PhoneList = {
  chosen: string | null
  accounts: { id: string; label: string }[]
  people: { id: string; name: string; detail: string; lastText: string; unread: number }[]
  /** A description of the updates that are not delivered yet; empty if there are none. */
  waiting: string
}

/** The chat that the page shows. */
export type PhoneChat = {
  name: string
  detail: string
  /** A short text about the state of the chat, and whether the state is good. */
  badge: { text: string; isOn: boolean } | null
  messages: PhoneMessage[]
  /** Remaining time of the typing indicator in ms; 0 or undefined hides it. */
  typingMs?: number
  /** Additional actions of a phone. A switch has `isOn`. */
  tools: { label: string; action: PhoneAction; isOn?: boolean }[]
}

/** A message as the page shows it. */
export type PhoneMessage = {
  id: string
  from: 'customer' | 'business' | 'owner'
  /** Milliseconds since 1970. */
  at: number
  text: string
  /** A file that can be displayed or played. */
  file?: { kind: 'image' | 'audio' | 'video' | 'document'; id: string }
  /** A button without an action cannot be tapped. */
  buttons: { text: string; action: PhoneAction | null }[]
  /** A note next to the time: `✓✓`, "edited", … */
  note: string
}
