import { randomBytes, randomInt } from 'node:crypto'
import type { InboundFields } from './webhook-values.ts'

type Sample = {
  /** What the phone shows of it. */
  text: string
  fields: () => InboundFields
}

/** One message of each kind that is more than text, for a tap on the phone page. */
export const SAMPLES = {
  image: {
    text: '[image] A photo of the box',
    fields: () => ({
      type: 'image',
      image: { caption: 'A photo of the box', ...media('image/jpeg') },
    }),
  },
  video: {
    text: '[video] It does this',
    fields: () => ({ type: 'video', video: { caption: 'It does this', ...media('video/mp4') } }),
  },
  document: {
    text: '[document] receipt.pdf',
    fields: () => ({
      type: 'document',
      document: { caption: 'receipt', filename: 'receipt.pdf', ...media('application/pdf') },
    }),
  },
  voice: {
    text: '[voice message]',
    fields: () => ({
      type: 'audio',
      audio: { ...media('audio/ogg; codecs=opus'), voice: true },
    }),
  },
  sticker: {
    text: '[sticker]',
    fields: () => ({ type: 'sticker', sticker: { ...media('image/webp'), animated: false } }),
  },
  location: {
    text: '[location] Old Town Gate',
    fields: () => ({
      location: {
        address: '1 Market Street',
        latitude: 31.9539,
        longitude: 35.9106,
        name: 'Old Town Gate',
        url: 'https://example.com/old-town-gate',
      },
      type: 'location',
    }),
  },
  contact: {
    text: '[contact] Nadia Saleh',
    fields: () => ({
      type: 'contacts',
      contacts: [
        {
          name: { first_name: 'Nadia', last_name: 'Saleh', formatted_name: 'Nadia Saleh' },
          org: { company: 'Example' },
          phones: [{ phone: '+1 (202) 555-0199', wa_id: '12025550199', type: 'MOBILE' }],
        },
      ],
    }),
  },
  unsupported: {
    text: '[a message WhatsApp does not pass on]',
    fields: () => ({
      errors: [
        {
          code: 131051,
          title: 'Message type unknown',
          message: 'Message type unknown',
          error_data: { details: 'Message type is currently not supported.' },
        },
      ],
      type: 'unsupported',
    }),
  },
} as const satisfies Record<string, Sample>

export type SampleKind = keyof typeof SAMPLES

function media(mimeType: string) {
  return {
    mime_type: mimeType,
    sha256: randomBytes(32).toString('base64'),
    id: String(randomInt(10 ** 14, 2 ** 47)),
  }
}
