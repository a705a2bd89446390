/**
 * Recorded updates of Telegram that nobody of this project wrote, with what each must become. They are other
 * people's and live beside the project, not in it; none when they are not there.
 */
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/channels/payloads/', import.meta.url)

export type TelegramPayload = {
  file: string
  body: Buffer
  /** Files that were delivered before this one. */
  after: string[]
  expect: {
    messageReceived: {
      providerMessageId: string
      contact: { whatsAppId: null; phone: null; name: string | null }
      /** `receivedAt` null: the time of arrival. */
      message: { type: string; text: string | null; receivedAt: string | null }
      optOut?: 'in' | 'out'
    }[]
  }
}

type Entry = Omit<TelegramPayload, 'body' | 'after'> & { channel: string; after?: string[] }

export function loadTelegramPayloads(): TelegramPayload[] {
  const index = new URL('index.json', FOLDER)
  if (!existsSync(index)) return []
  const { payloads } = JSON.parse(readFileSync(index, 'utf8')) as { payloads: Entry[] }
  return payloads
    .filter(({ channel }) => channel === 'telegram')
    .map(({ file, after = [], expect }) => {
      return { file, after, expect, body: readFileSync(new URL(file, FOLDER)) }
    })
}
