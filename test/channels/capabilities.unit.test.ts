import { describe, expect, test } from 'vitest'
import { CAPABILITIES } from '../../src/rules/messaging/channel-capabilities.ts'
import type { Capabilities } from '../../src/rules/messaging/channel-capabilities.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { CHANNEL_TYPES } from '../../src/core/vocabulary/channels.ts'
import { readPages, tableOf, wordsIn } from '../reference/pages.ts'

type Row = Record<'replies' | 'templates' | 'starts' | 'media' | 'receipts' | 'longest', string>

/** Returns the table of the reference, by channel type. */
function readTable(): Map<string, Row> {
  return new Map(
    tableOf('Concepts', 'Channel capabilities').map((cells) => {
      const [name = '', replies = '', templates = '', starts = '', media = ''] = cells
      const [receipts = '', longest = ''] = cells.slice(5)
      return [wordsIn(name)[0]!, { replies, templates, starts, media, receipts, longest }]
    }),
  )
}

function replyInWords({ reply, pacing, afterWindow }: Capabilities): RegExp[] {
  const hours = reply.kind === 'window' ? reply.windowMs / HOUR_MS : 0
  return [
    {
      window: new RegExp(`^for ${hours} h after the customer's last message`),
      any_time: /^any time, if the \w+ began$/,
      never: /^nothing can be sent$/,
    }[reply.kind],
    ...(afterWindow === 'template' ? [/later only a template/] : []),
    ...(pacing?.kind === 'gaps'
      ? [
          new RegExp(`${pacing.gapMinMs / 1_000} to ${pacing.gapMaxMs / 1_000} s apart`),
          new RegExp(`${pacing.perHour} an hour`),
        ]
      : []),
  ]
}

describe('The capabilities match the table of the reference', () => {
  const table = readTable()

  test('each channel type has a row, and no other has one', () => {
    expect([...table.keys()].toSorted()).toEqual([...CHANNEL_TYPES].toSorted())
  })

  test.each(CHANNEL_TYPES)('%s has the capabilities of its row', (type) => {
    const row = table.get(type) as Row
    const capabilities = CAPABILITIES[type]
    for (const words of replyInWords(capabilities)) {
      expect(row.replies).toMatch(words)
    }
    expect(row.replies.includes('only a template')).toBe(capabilities.afterWindow === 'template')
    expect(row.templates === 'yes').toBe(capabilities.hasTemplates)
    expect(row.starts !== 'no').toBe(capabilities.startsConversations)
    expect(row.media === 'yes').toBe(capabilities.media !== null)
    expect(row.receipts).toBe(capabilities.receipts.join(', ') || 'none')
    expect(row.longest.replace(',', '')).toBe(
      capabilities.longestText === null ? 'none' : String(capabilities.longestText),
    )
  })

  test('STOP and START are understood on the five channels with a provider', () => {
    const understanding = CHANNEL_TYPES.filter((type) => CAPABILITIES[type].understandsStop)
    const [sentence = ''] = readPages()
      .get('Flows')!
      .sections.get('Opt-out')!
      .split(/\sopts a /)
    const named = wordsIn(sentence).filter((word) => word !== 'STOP')
    expect(named.toSorted()).toEqual(understanding.toSorted())
  })

  test('the assistant may act for a customer whose identity the provider confirms: reading C9', () => {
    const vouched = CHANNEL_TYPES.filter((type) => CAPABILITIES[type].verifiesIdentity)
    const [, reading = ''] = /\*\*C9\*\* (.*)/.exec(readPages().get('Calls')!.text) ?? []
    expect(wordsIn(reading).toSorted()).toEqual(vouched.toSorted())
  })

  test.each([
    [
      'the owner may answer in the provider’s app',
      'ownerMayAnswer',
      'whatsapp whatsapp_qr messenger instagram',
    ],
    ['each message makes a lead', 'makesLeads', 'website'],
    ['the customer’s name is looked up', 'looksUpNames', 'messenger instagram'],
    ['customers have a WhatsApp id', 'showsWhatsAppId', 'whatsapp whatsapp_qr'],
    ['customers can have a phone number', 'hasPhone', 'whatsapp whatsapp_qr website voice'],
    [
      'senders become contacts',
      'hasContacts',
      'whatsapp whatsapp_qr telegram messenger instagram website voice',
    ],
  ] as const)('%s on these channels: %s %s', (_, capability, types) => {
    const having = CHANNEL_TYPES.filter((type) => CAPABILITIES[type][capability])
    expect(having.toSorted()).toEqual(types.split(' ').toSorted())
  })

  test('a channel that cannot send never starts a conversation', () => {
    const silent = CHANNEL_TYPES.filter((type) => CAPABILITIES[type].reply.kind === 'never')
    expect(silent).toEqual(CHANNEL_TYPES.filter((type) => CAPABILITIES[type].longestText === null))
    for (const type of silent) {
      expect(CAPABILITIES[type].startsConversations).toBe(false)
    }
  })
})
