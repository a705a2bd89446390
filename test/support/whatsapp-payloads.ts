/**
 * Recorded WhatsApp webhooks, with what each must become. They were not made by this project and are not in its
 * repository. The result is null on machines that do not have them.
 */
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/channels/payloads/', import.meta.url)

export type ExpectedMessage = {
  providerMessageId: string
  contact: { whatsAppId: string; phone: string | null; name: string | null }
  /** `receivedAt` null: the time of arrival. */
  message: { type: string; text: string | null; receivedAt: string | null }
  optOut?: 'in' | 'out'
  store?: { bsuid?: string; parentBsuid?: string; username?: string; sharedPhone?: string }
}

export type ExpectedFacts = {
  messageReceived: ExpectedMessage[]
  receipts: { providerMessageId: string; status: string; at: string; code?: number }[]
  outbound?: { providerMessageId: string; to: string; by: string }[]
  identity?: {
    fromNumber?: string
    toNumber?: string
    newBsuid?: string
    previousBsuid?: string
    currentBsuid?: string
  }[]
  imported?: number
  /** True when the channel must be usable afterwards; set where the entry names it. */
  channelConnected?: boolean
  /** The number of conversations that began; set where the entry names it. */
  conversationStarted?: number
}

export type WhatsAppPayload = {
  file: string
  rawBody: Buffer
  /** Files that were delivered before this one. */
  after: string[]
  note: string | null
  expect: ExpectedFacts
}

export type WhatsAppPayloads = {
  business: { display_phone_number: string; phone_number_id: string; waba_id: string }
  payloads: WhatsAppPayload[]
}

export type HttpVectors = {
  appSecret: string
  handshake: {
    request: string
    verifyToken: string
    ok: { status: number; body: string }
    wrongToken: { status: number }
  }
  signatures: { name: string; rawBody: string; header: string | null; valid: boolean }[]
}

type Index = {
  business: WhatsAppPayloads['business']
  payloads: {
    file: string
    channel: string
    after?: string[]
    note?: string
    expect: ExpectedFacts
  }[]
}

export function loadWhatsAppPayloads(folder = FOLDER): WhatsAppPayloads | null {
  const index = loadJson('index.json', folder) as Index | null
  return index === null
    ? null
    : {
        business: index.business,
        payloads: index.payloads
          .filter(({ channel }) => channel === 'whatsapp')
          .map(({ file, after = [], note = null, expect }) => {
            return { file, after, note, expect, rawBody: readFileSync(new URL(file, folder)) }
          }),
      }
}

export function loadHttpVectors(): HttpVectors | null {
  return loadJson('http-vectors.json') as HttpVectors | null
}

function loadJson(file: string, folder = FOLDER): unknown {
  const url = new URL(file, folder)
  return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as unknown) : null
}
