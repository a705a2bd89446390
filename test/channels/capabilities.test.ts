import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CAPABILITIES, mayReply, windowEndsAt } from '../../src/channels/capabilities.ts'
import type { Capabilities } from '../../src/channels/capabilities.ts'
import { HOUR_MS, SECOND_MS } from '../../src/limits.ts'
import { CHANNEL_TYPES } from '../../src/vocabulary.ts'
import type { ChannelType } from '../../src/vocabulary.ts'

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')

type Row = Record<'replies' | 'templates' | 'starts' | 'media' | 'receipts' | 'longest', string>

/** The specification's table, by channel type. */
function readTable(): Map<string, Row> {
  const chapter = specification.split('### Channel capabilities')[1]?.split('\n## ')[0] ?? ''
  const rows = chapter.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter((cells) => cells[1] !== '`channelType`')
      .map((cells) => {
        const [, name = '', replies = '', templates = '', starts = '', media = ''] = cells
        const [, , , , , , receipts = '', longest = ''] = cells
        const type = /`(\w+)`/.exec(name)?.[1] ?? ''
        return [type, { replies, templates, starts, media, receipts, longest }]
      }),
  )
}

function replyInWords({ reply, pacing, afterWindow }: Capabilities): RegExp[] {
  const hours = reply.kind === 'window' ? reply.windowMs / HOUR_MS : 0
  return [
    {
      window: new RegExp(`within ${hours} h`),
      any_time: /^any time, in a conversation the \w+ started$/,
      never: /^(nothing can be sent|not sendable)$/,
    }[reply.kind],
    ...(afterWindow === 'template' ? [/after that only a template/] : []),
    ...(pacing
      ? [
          new RegExp(`${pacing.gapMinMs / 1_000} to ${pacing.gapMaxMs / 1_000} s apart`),
          new RegExp(`at most ${pacing.perHour} an hour`),
        ]
      : []),
  ]
}

describe('The capabilities are the table of the specification', () => {
  const table = readTable()

  test('every channel type has a row, and no other', () => {
    expect([...table.keys()].toSorted()).toEqual([...CHANNEL_TYPES].toSorted())
  })

  test.each(CHANNEL_TYPES)('%s can do what its row says', (type) => {
    const row = table.get(type) as Row
    const capabilities = CAPABILITIES[type]
    for (const words of replyInWords(capabilities)) {
      expect(row.replies).toMatch(words)
    }
    expect(row.replies.includes('only a template')).toBe(capabilities.afterWindow === 'template')
    expect(row.templates === 'yes').toBe(capabilities.hasTemplates)
    expect(row.starts.startsWith('yes')).toBe(capabilities.startsConversations)
    expect(row.media === 'yes').toBe(capabilities.hasMedia)
    expect([...row.receipts.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual([
      ...capabilities.receipts,
    ])
    expect(row.longest.replace(',', '')).toBe(
      capabilities.longestText === null ? 'not applicable' : String(capabilities.longestText),
    )
  })

  test('STOP and START are understood on the five channels of a provider', () => {
    const understanding = CHANNEL_TYPES.filter((type) => CAPABILITIES[type].understandsStop)
    const sentence = specification.split('is only `STOP` (any case) on ')[1]?.split(';')[0] ?? ''
    const named = [...sentence.matchAll(/`(\w+)`/g)].map((match) => match[1] as ChannelType)
    expect(understanding.toSorted()).toEqual(named.toSorted())
  })

  test('what cannot be written to never starts a conversation, sends media or has receipts', () => {
    const silent = CHANNEL_TYPES.filter((type) => CAPABILITIES[type].reply.kind === 'never')
    expect(silent).toEqual(CHANNEL_TYPES.filter((type) => CAPABILITIES[type].longestText === null))
    for (const type of silent) {
      const { hasMedia, receipts, startsConversations } = CAPABILITIES[type]
      expect([hasMedia, receipts.length, startsConversations]).toEqual([false, 0, false])
    }
  })
})

describe('A message that is no template may be sent', () => {
  const wroteAt = new Date('2026-10-01T12:00:00Z')
  const after = (ms: number) => new Date(wroteAt.getTime() + ms)

  test.each<[ChannelType, number]>([
    ['whatsapp', 24],
    ['whatsapp_qr', 72],
    ['messenger', 24],
    ['instagram', 24],
  ])('on %s for %d hours after the customer wrote', (type, hours) => {
    const openUntil = windowEndsAt(CAPABILITIES[type], wroteAt)
    expect(openUntil).toEqual(after(hours * HOUR_MS))
    expect(mayReply(CAPABILITIES[type], openUntil, after(hours * HOUR_MS - SECOND_MS))).toBe(true)
    expect(mayReply(CAPABILITIES[type], openUntil, after(hours * HOUR_MS))).toBe(false)
    expect(mayReply(CAPABILITIES[type], null, wroteAt)).toBe(false)
  })

  test.each<ChannelType>(['telegram', 'web_widget'])('on %s at any time', (type) => {
    expect(windowEndsAt(CAPABILITIES[type], wroteAt)).toBeNull()
    expect(mayReply(CAPABILITIES[type], null, wroteAt)).toBe(true)
  })

  test.each<ChannelType>(['website', 'voice'])('on %s never', (type) => {
    expect(windowEndsAt(CAPABILITIES[type], wroteAt)).toBeNull()
    expect(mayReply(CAPABILITIES[type], null, wroteAt)).toBe(false)
  })
})
