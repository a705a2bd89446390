/**
 * The messages that this tab has sent and whose arrival is not confirmed. They survive a reload, so that none is lost
 * silently. Like drafts they are deleted at sign-out.
 */
import { useSyncExternalStore } from 'react'
import { Api } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { newKey } from '../app/new-key.ts'
import type { z } from 'zod'
import type { SendReply } from '../../contract/dashboard/conversation.ts'

export type Said = Omit<z.input<typeof SendReply>, 'key'>

export type Unsent = {
  /** The idempotency key of the message, however often it is sent. */
  key: string
  companyId: string
  conversationId: string
  said: Said
  /** The text that the thread shows meanwhile. */
  shown: string
  state: 'sending' | 'failed'
  /** The sentence of the refusal; null without a response. */
  refusal: string | null
}

const KEPT_UNDER = 'wasla.unsent'

/** Undefined after a change, so that the storage is read again. */
let keptText: string | null | undefined = null
let unsent: readonly Unsent[] = []
/**
 * Keys of the messages that this page is sending. A message that an earlier page of the tab was sending gets no answer
 * any more.
 */
const inFlight = new Set<string>()
const listeners = new Set<() => void>()

/** Returns the same list until it changes, as `useSyncExternalStore` requires. */
function readUnsent(): readonly Unsent[] {
  const text = sessionStorage.getItem(KEPT_UNDER)
  if (text === keptText) return unsent
  keptText = text
  const kept = text === null ? [] : (JSON.parse(text) as Unsent[])
  unsent = kept.map((one) => (inFlight.has(one.key) ? one : { ...one, state: 'failed' }))
  return unsent
}

function change(next: readonly Unsent[]): void {
  if (next.length === 0) sessionStorage.removeItem(KEPT_UNDER)
  else sessionStorage.setItem(KEPT_UNDER, JSON.stringify(next))
  // The same text has another meaning once the set of messages in flight has changed.
  keptText = undefined
  for (const notify of listeners) notify()
}

function put(one: Unsent): void {
  change(readUnsent().map((other) => (other.key === one.key ? one : other)))
}

/** Stores a new message as unsent, shows it in the conversation, and sends it to the service. */
export function send(given: Pick<Unsent, 'companyId' | 'conversationId' | 'said' | 'shown'>): void {
  const one: Unsent = { ...given, key: newKey(), state: 'sending', refusal: null }
  inFlight.add(one.key)
  change([...readUnsent(), one])
  void tryToSend(one)
}

/** Sends a failed message again, under the same idempotency key. */
export function sendAgain(one: Unsent): void {
  const again: Unsent = { ...one, state: 'sending', refusal: null }
  inFlight.add(again.key)
  put(again)
  void tryToSend(again)
}

/** Removes an unsent message, which is not sent any more. */
export function discard({ key }: Unsent): void {
  inFlight.delete(key)
  change(readUnsent().filter((other) => other.key !== key))
}

async function tryToSend(one: Unsent): Promise<void> {
  const { companyId, conversationId, said, key } = one
  const api = new Api(companyId)
  const reread = () => api.again('conversations/:conversationId', { conversationId })
  try {
    await api.call(
      'post',
      'conversations/:conversationId/messages',
      { conversationId },
      { ...said, key },
    )
  } catch (error) {
    inFlight.delete(key)
    put({ ...one, state: 'failed', refusal: error instanceof ApiError ? sentenceOf(error) : null })
    // The reason of the refusal may change what can be sent.
    void reread()
    return
  }
  await reread()
  discard(one)
  void api.changed('conversations')
}

function sentenceOf({ errors, detail }: ApiError): string | null {
  return errors[0]?.message ?? (detail === '' ? null : detail)
}

/** Returns the messages of a conversation whose arrival at the service is not confirmed. */
export function useUnsent(conversationId: string): readonly Unsent[] {
  const all = useSyncExternalStore(subscribe, readUnsent)
  return all.filter((one) => one.conversationId === conversationId)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
