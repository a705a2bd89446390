/** What a provider is asked for that does not post by itself, and what comes of it. */
import type { Fact } from '../../core/facts/fact.ts'
import type { ProviderEvent, ProviderError } from './inbound.ts'

export type PollOptions = {
  /** What was kept under these names, of those that were. Encrypted at rest. */
  recall(names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** How long the provider may let us wait for something to happen. */
  waitMs: number
  /** Aborted when nobody is there any more for what the provider would say. */
  signal: AbortSignal
  /** Where the provider may post to for this channel; null where it has no webhook. */
  webhookUrl: string | null
  receivedAt: Date
}

export type Polled =
  | {
      outcome: 'asked'
      /** In their order. All are taken in before anything is kept. */
      facts: ProviderEvent[]
      /** What to keep under which names; null forgets one. */
      keep?: Readonly<Record<string, string | null>>
      /** The provider is not asked again before. */
      againInMs: number
      /** What keeps the provider's news from coming, though it answers. */
      problem?: Fact
    }
  | { outcome: 'refused'; error: ProviderError }
