import { SAMPLE_VOICE_WORDS, type MediaShelf } from '../media-shelf.ts'
import type { InboundFields } from './webhook-values.ts'

type Sample = {
  /** The text on the phone. */
  text: string
  fields: (shelf: MediaShelf) => InboundFields
}

/** A message of each kind other than text, for a tap on the phone page. */
export const SAMPLES = {
  image: {
    text: '[image] A photo of the box',
    fields: (shelf) => ({
      type: 'image',
      image: { caption: 'A photo of the box', ...shelf.sample('image') },
    }),
  },
  video: {
    text: '[video] It does this',
    fields: (shelf) => ({
      type: 'video',
      video: { caption: 'It does this', ...shelf.sample('video') },
    }),
  },
  document: {
    text: '[document] receipt.pdf',
    fields: (shelf) => ({
      type: 'document',
      document: { caption: 'receipt', filename: 'receipt.pdf', ...shelf.sample('document') },
    }),
  },
  voice: {
    text: `[voice message] ${SAMPLE_VOICE_WORDS}`,
    fields: (shelf) => ({
      type: 'audio',
      audio: { ...shelf.sample('voice'), voice: true },
    }),
  },
  sticker: {
    text: '[sticker]',
    fields: (shelf) => ({
      type: 'sticker',
      sticker: { ...shelf.sample('sticker'), animated: false },
    }),
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

/** The kind of a sample message. */
export type SampleKind = keyof typeof SAMPLES
