/** A sample message of each kind other than text, for the page of phones. */
import type { MediaShelf, SampleFile } from '../media-shelf.ts'
import type { PhoneMessage } from '../provider.ts'
import type { TelegramPerson } from './book.ts'
import { fileOf, type FileKind } from './wire.ts'

/** The content of a message, in the Bot API's form and as the phone shows it. */
export type Said = { wire: Record<string, unknown>; text: string; file?: PhoneMessage['file'] }

const FILES = {
  image: { kind: 'photo', sample: 'image', shown: 'image', caption: 'A photo of the box' },
  video: { kind: 'video', sample: 'video', shown: 'video', caption: 'It does this' },
  voice: { kind: 'voice', sample: 'voice', shown: 'audio', caption: '' },
  document: { kind: 'document', sample: 'document', shown: 'document', caption: 'receipt' },
  sticker: { kind: 'sticker', sample: 'sticker', shown: 'image', caption: '' },
} as const satisfies Record<
  string,
  { kind: FileKind; sample: SampleFile; shown: string; caption: string }
>

const OTHERS = {
  location: (): Said => ({
    wire: { location: { latitude: 31.9539, longitude: 35.9106 } },
    text: '[location]',
  }),
  contact: ({ id, firstName }: TelegramPerson): Said => ({
    wire: { contact: { phone_number: '12025550199', first_name: firstName, user_id: Number(id) } },
    text: '[contact] their own',
  }),
  poll: (): Said => ({
    wire: {
      poll: {
        id: '1',
        question: 'Which one?',
        options: [
          { text: 'This', voter_count: 0 },
          { text: 'That', voter_count: 0 },
        ],
        total_voter_count: 0,
        is_closed: false,
        is_anonymous: true,
        type: 'regular',
        allows_multiple_answers: false,
      },
    },
    text: '[poll] Which one?',
  }),
} as const

/** The name of a sample message. */
export type SampleName = keyof typeof FILES | keyof typeof OTHERS
/** The names of all sample messages, in the order of the page. */
export const SAMPLE_NAMES = [...Object.keys(FILES), ...Object.keys(OTHERS)] as SampleName[]

/** Returns a sample message of a kind, such as a photo or a location, in Telegram's form. */
export function sampleOf(name: SampleName, person: TelegramPerson, shelf: MediaShelf): Said {
  if (name in OTHERS) return OTHERS[name as keyof typeof OTHERS](person)
  const { kind, sample, shown, caption } = FILES[name as keyof typeof FILES]
  const { id } = shelf.sample(sample)
  const file = fileOf(kind, { id, file: shelf.find(id)! })
  const wire = { ...file, ...(caption === '' ? {} : { caption }) }
  return { wire, text: caption, file: { kind: shown, id } }
}
