/**
 * Recorded posts of providers for one type of channel, with what each must become. They were not made by this
 * project and are not in its repository. The list is empty on machines that do not have them.
 */
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/channels/payloads/', import.meta.url)

export type RecordedPayload = {
  file: string
  rawBody: Buffer
  /** Files that were delivered before this one. */
  after: string[]
  expect: {
    messageReceived: {
      providerMessageId: string
      contact: { whatsAppId: string | null; phone: string | null; name: string | null }
      message: { type: string; text: string | null; receivedAt: string | null }
      optOut?: 'in' | 'out'
    }[]
    receipts: object[]
  }
}

export function loadRecordedPayloads(channel: string): RecordedPayload[] {
  const index = new URL('index.json', FOLDER)
  if (!existsSync(index)) return []
  const { payloads } = JSON.parse(readFileSync(index, 'utf8')) as {
    payloads: (Omit<RecordedPayload, 'rawBody' | 'after'> & { channel: string; after?: string[] })[]
  }
  return payloads
    .filter((payload) => payload.channel === channel)
    .map(({ file, after = [], expect }) => {
      return { file, after, expect, rawBody: readFileSync(new URL(file, FOLDER)) }
    })
}
