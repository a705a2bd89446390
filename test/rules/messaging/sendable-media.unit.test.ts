import { describe, expect, test } from 'vitest'
import { CHANNEL_TYPES, type ChannelType } from '../../../src/core/vocabulary/channels.ts'
import { formatFact } from '../../../src/i18n/format-fact.ts'
import { CAPABILITIES } from '../../../src/rules/messaging/channel-capabilities.ts'
import {
  mediaKindOf,
  mediaKindToSend,
  whyNoCaption,
  whyNotSendable,
} from '../../../src/rules/messaging/sendable-media.ts'

const { whatsapp, telegram, messenger, instagram, website } = CAPABILITIES
const MEGABYTE = 1_048_576

describe('The kind as which a channel sends a file', () => {
  test('depends on its bytes: pictures, sounds and videos as such, all others as a document', () => {
    expect(
      ['image/png', 'audio/ogg', 'video/mp4', 'application/pdf', 'text/plain'].map(mediaKindOf),
    ).toEqual(['image', 'audio', 'video', 'document', 'document'])
  })

  test('is a picture up to the channel’s maximum size, on every channel that sends files', () => {
    for (const type of CHANNEL_TYPES) {
      const { media } = CAPABILITIES[type]
      const max = media?.kinds.image.maxBytes ?? 0
      const at = (size: number) =>
        mediaKindToSend({ mediaType: 'image/jpeg', size }, CAPABILITIES[type])
      expect(at(max)).toBe(media === null ? null : 'image')
      expect(at(max + 1)).toBe(type === 'telegram' ? 'document' : null)
    }
  })

  test('is a document when the channel does not show the kind but accepts documents', () => {
    const gif = { mediaType: 'image/gif', size: 10 }
    expect(mediaKindToSend(gif, telegram)).toBe('document')
    expect(mediaKindToSend(gif, whatsapp)).toBe(null)
  })

  test('is none for a refused file, and the refusal names the supported types', () => {
    expect(whyNotSendable({ mediaType: 'image/jpeg', size: 6 * MEGABYTE }, whatsapp)).toEqual({
      code: 'file_too_large_for_channel',
      params: { bytes: 6 * MEGABYTE, max: 5 * MEGABYTE },
    })
    expect(whyNotSendable({ mediaType: 'image/heic', size: 1 }, whatsapp)).toMatchObject({
      code: 'file_type_not_sendable',
      params: { mediaType: 'image/heic', types: expect.arrayContaining(['image/jpeg']) },
    })
    const refusal = whyNotSendable({ mediaType: 'image/heic', size: 1 }, messenger)!
    expect(formatFact(refusal, 'en')).toBe(
      'This channel doesn’t support image/heic files. Supported types: JPG, PNG, GIF up to 8 MB; AAC, AMR, MP3, M4A, OGG, MP4, MOV, PDF, TXT, Word, Excel, PowerPoint up to 16 MB.',
    )
    expect(whyNotSendable({ mediaType: 'image/jpeg', size: 1 }, website)).toMatchObject({
      code: 'channel_sends_no_files',
    })
    expect(whyNotSendable({ mediaType: 'image/jpeg', size: 1 }, whatsapp)).toBe(null)
  })
})

const OFFICE = 'PDF, TXT, Word, Excel, PowerPoint'
test.each<[ChannelType, string]>([
  ['whatsapp', `JPG, PNG up to 5 MB; AAC, AMR, MP3, M4A, OGG, MP4, 3GP, ${OFFICE} up to 16 MB`],
  ['whatsapp_qr', `JPG, PNG up to 5 MB; AAC, AMR, MP3, M4A, OGG, MP4, 3GP, ${OFFICE} up to 16 MB`],
  ['telegram', `JPG, PNG, AAC, AMR, MP3, M4A, OGG, MP4, ${OFFICE}, GIF, ZIP up to 16 MB`],
  [
    'messenger',
    `JPG, PNG, GIF up to 8 MB; AAC, AMR, MP3, M4A, OGG, MP4, MOV, ${OFFICE} up to 16 MB`,
  ],
  ['instagram', 'JPG, PNG, GIF up to 8 MB; AAC, M4A, WAV, MP4, MOV, WebM, PDF up to 16 MB'],
])('%s sends the files that its provider accepts: %s', (type, types) => {
  const refusal = whyNotSendable({ mediaType: 'image/heic', size: 1 }, CAPABILITIES[type])!
  expect(formatFact(refusal, 'en')).toContain(`Supported types: ${types}`)
})

describe('A caption of a file', () => {
  test('is counted as the channel counts, and refused where the kind has none', () => {
    expect(whyNoCaption('image', 'ص'.repeat(1_024), whatsapp)).toBe(null)
    expect(whyNoCaption('image', 'ص'.repeat(1_025), whatsapp)).toMatchObject({
      code: 'caption_too_long',
      params: { length: 1_025, max: 1_024 },
    })
    expect(whyNoCaption('audio', 'listen', whatsapp)).toMatchObject({
      code: 'media_without_caption',
    })
    expect(whyNoCaption('image', 'look', instagram)).toMatchObject({
      code: 'media_without_caption',
    })
    expect(whyNoCaption('audio', null, whatsapp)).toBe(null)
  })
})
