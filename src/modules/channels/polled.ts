/** Polling of providers that do not post events themselves. */
import type { Fact } from '../../core/facts/fact.ts'
import type { ProviderEvent, ProviderError } from './inbound.ts'

/** The options of a poll. */
export type PollOptions = {
  /** Loads stored state by name, decrypted. */
  recall(names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The long-polling timeout, in ms. */
  waitMs: number
  /** Aborts when the result is no longer needed. */
  signal: AbortSignal
  /** The channel's webhook address; null without a webhook. */
  webhookUrl: string | null
  receivedAt: Date
}

/** The result of a poll. */
export type Polled =
  | {
      outcome: 'polled'
      /** The events in their order; all are ingested before state is stored. */
      events: ProviderEvent[]
      /** State to store by name; null deletes a value. */
      keep?: Readonly<Record<string, string | null>>
      /** The minimum delay until the next poll, in ms. */
      againInMs: number
      /** A reason why no events arrive although the provider responds. */
      problem?: Fact
    }
  | { outcome: 'refused'; error: ProviderError }
