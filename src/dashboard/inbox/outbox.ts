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

/** The content of a message, as the API takes it, without the idempotency key. */
export type ReplyContent = Omit<z.input<typeof SendReply>, 'key'>

/** A message whose arrival is not confirmed. */
export type UnsentMessage = {
  /** The idempotency key of the message, however often it is sent. */
  key: string
  companyId: string
  conversationId: string
  said: ReplyContent
  /** The text that the thread shows meanwhile. */
  shown: string
  state: 'sending' | 'failed'
  /** The sentence of the refusal; null without a response. */
  refusal: string | null
}

const STORED_UNDER = 'wasla.unsent'

/** Undefined after a change, so that the storage is read again. */
let keptText: string | null | undefined = null
let unsent: readonly UnsentMessage[] = []
/**
 * Keys of the messages that this page is sending. A message that an earlier page of the tab was sending gets no answer
 * any more.
 */
const inFlight = new Set<string>()
const listeners = new Set<() => void>()

/** Returns the same list until it changes, as `useSyncExternalStore` requires. */
function readUnsent(): readonly UnsentMessage[] {
  const text = sessionStorage.getItem(STORED_UNDER)
  if (text === keptText) return unsent
  keptText = text
  const kept = text === null ? [] : (JSON.parse(text) as UnsentMessage[])
  unsent = kept.map((one) => (inFlight.has(one.key) ? one : { ...one, state: 'failed' }))
  return unsent
}

function change(next: readonly UnsentMessage[]): void {
  if (next.length === 0) sessionStorage.removeItem(STORED_UNDER)
  else sessionStorage.setItem(STORED_UNDER, JSON.stringify(next))
  // The same text has another meaning once the set of messages in flight has changed.
  keptText = undefined
  for (const notify of listeners) notify()
}

function put(one: UnsentMessage): void {
  change(readUnsent().map((other) => (other.key === one.key ? one : other)))
}

/** Stores a new message as unsent, shows it in the conversation, and sends it to the service. */
export function send(
  given: Pick<UnsentMessage, 'companyId' | 'conversationId' | 'said' | 'shown'>,
): void {
  const one: UnsentMessage = { ...given, key: newKey(), state: 'sending', refusal: null }
  inFlight.add(one.key)
  change([...readUnsent(), one])
  void tryToSend(one)
}

/** Sends a failed message again, under the same idempotency key. */
export function sendAgain(one: UnsentMessage): void {
  const again: UnsentMessage = { ...one, state: 'sending', refusal: null }
  inFlight.add(again.key)
  put(again)
  void tryToSend(again)
}

/** Removes an unsent message, which is not sent any more. */
export function discard({ key }: UnsentMessage): void {
  inFlight.delete(key)
  change(readUnsent().filter((other) => other.key !== key))
}

async function tryToSend(one: UnsentMessage): Promise<void> {
  const { companyId, conversationId, said, key } = one
  const api = new Api(companyId)
  const reread = () => api.refresh('conversations/:conversationId', { conversationId })
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
export function useUnsent(conversationId: string): readonly UnsentMessage[] {
  const all = useSyncExternalStore(subscribe, readUnsent)
  return all.filter((one) => one.conversationId === conversationId)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
