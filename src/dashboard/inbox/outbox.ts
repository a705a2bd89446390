/** What was sent from this tab and is not known to have arrived at the service: nothing is lost in silence. */
import { useSyncExternalStore } from 'react'
import type { InferRequestType } from 'hono/client'
import { api, ask, Refusal } from '../app/api.ts'
import { newKey } from '../app/new-key.ts'
import { queries } from '../app/queries.ts'
import { listsKey, oneKey, paramOf } from './inbox-queries.ts'

const messages = api.companies[':companyId'].conversations[':conversationId'].messages

export type Said = Omit<InferRequestType<typeof messages.$post>['json'], 'key'>

export type Unsent = {
  /** The same key sends one message, however often it is tried. */
  key: string
  companyId: string
  conversationId: string
  said: Said
  /** As the thread shows it meanwhile. */
  shown: string
  state: 'sending' | 'failed'
  /** Null where it is not known why. */
  refusal: Refusal | null
}

let unsent: readonly Unsent[] = []
const listeners = new Set<() => void>()

function change(next: readonly Unsent[]): void {
  unsent = next
  for (const tell of listeners) tell()
}

function put(one: Unsent): void {
  change(unsent.map((other) => (other.key === one.key ? one : other)))
}

export function send(given: Pick<Unsent, 'companyId' | 'conversationId' | 'said' | 'shown'>): void {
  const one: Unsent = { ...given, key: newKey(), state: 'sending', refusal: null }
  change([...unsent, one])
  void tryToSend(one)
}

export function sendAgain(one: Unsent): void {
  const again: Unsent = { ...one, state: 'sending', refusal: null }
  put(again)
  void tryToSend(again)
}

export function discard({ key }: Unsent): void {
  change(unsent.filter((other) => other.key !== key))
}

async function tryToSend(one: Unsent): Promise<void> {
  const { companyId, conversationId, said, key } = one
  const param = paramOf(companyId, conversationId)
  try {
    await ask(messages.$post({ param, json: { ...said, key } }))
  } catch (error) {
    put({ ...one, state: 'failed', refusal: error instanceof Refusal ? error : null })
    // Why it was refused may change what can be written at all.
    void queries.invalidateQueries({ queryKey: oneKey(companyId, conversationId) })
    return
  }
  await queries.invalidateQueries({ queryKey: oneKey(companyId, conversationId) })
  discard(one)
  void queries.invalidateQueries({ queryKey: listsKey(companyId) })
}

export function useUnsent(conversationId: string): readonly Unsent[] {
  const all = useSyncExternalStore(subscribe, () => unsent)
  return all.filter((one) => one.conversationId === conversationId)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
