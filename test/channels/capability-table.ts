/** The channel table of the specification. */
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'

export type Row = {
  /** Hours after the customer's last message in which a reply may be sent. */
  reply: number | 'any_time' | 'never'
  templates: boolean
  starts: boolean
  media: boolean
  receipts: readonly ('delivered' | 'read' | 'failed')[]
  longest: number | null
  unit: 'characters' | 'bytes'
  /** True when `STOP` and `START` opt out and in. */
  stops: boolean
}

const SENDS_NOTHING: Row = {
  reply: 'never',
  templates: false,
  starts: false,
  media: false,
  receipts: [],
  longest: null,
  unit: 'characters',
  stops: false,
}
const TALKS: Row = { ...SENDS_NOTHING, media: true, longest: 4_096, stops: true }

export const TABLE: Record<ChannelType, Row> = {
  whatsapp: {
    ...TALKS,
    reply: 24,
    templates: true,
    starts: true,
    receipts: ['delivered', 'read', 'failed'],
  },
  whatsapp_qr: { ...TALKS, reply: 72 },
  telegram: { ...TALKS, reply: 'any_time' },
  messenger: { ...TALKS, reply: 24, receipts: ['delivered', 'read'], longest: 2_000 },
  // The provider counts bytes.
  instagram: { ...TALKS, reply: 24, receipts: ['read'], longest: 1_000, unit: 'bytes' },
  web_widget: { ...TALKS, reply: 'any_time', stops: false },
  website: SENDS_NOTHING,
  voice: SENDS_NOTHING,
}

/** The strictest channel, the least strict one and one that sends nothing; every channel at full size. */
export const ASKED_CHANNELS: readonly ChannelType[] = IS_FULL_SIZE
  ? CHANNEL_TYPES
  : ['whatsapp', 'telegram', 'website']

/** Returns the rows that match, each with its type. */
export const rowsWhere = (fits: (row: Row) => boolean) =>
  ASKED_CHANNELS.filter((type) => fits(TABLE[type])).map((type) => ({ type, ...TABLE[type] }))
export const SENDABLE = rowsWhere(({ reply }) => reply !== 'never')
export const WINDOWED = rowsWhere(({ reply }) => typeof reply === 'number')
export const ANY_TIME = rowsWhere(({ reply }) => reply === 'any_time')
export const TEMPLATED = rowsWhere(({ templates }) => templates)
export const WITH_FILES = rowsWhere(({ media }) => media)

/** A shop's template with its values. */
export const TEMPLATE = {
  name: 'order_ready',
  language: 'en',
  body: [
    { name: '1', text: 'Sara' },
    { name: '2', text: 'A-17' },
  ],
}
/** The text of that template for the customer. */
export const TEMPLATE_TEXT = 'Hello Sara, your order A-17 is ready.'

export const refusedAs = (code: string) => ({ status: 409, body: { code } })
