/** People, chats, messages and files in the form of the Bot API. */
import type { ShelvedFile } from '../media-shelf.ts'
import type { Bot, TelegramPerson } from './book.ts'
import { botIdOf } from './book.ts'

type Wire = Record<string, unknown>

/** Returns a person as Telegram's object `User`. */
export function userOf(person: TelegramPerson): Wire {
  return {
    id: Number(person.id),
    is_bot: false,
    ...namesOf(person),
    ...(person.languageCode === undefined ? {} : { language_code: person.languageCode }),
  }
}

/** Returns the private chat with a person as Telegram's object `Chat`. */
export function chatOf(person: TelegramPerson): Wire {
  return { id: Number(person.id), ...namesOf(person), type: 'private' }
}

function namesOf({ firstName, lastName, username }: TelegramPerson): Wire {
  return {
    first_name: firstName,
    ...(lastName === undefined ? {} : { last_name: lastName }),
    ...(username === undefined ? {} : { username }),
  }
}

/** Returns a bot as Telegram's object `User`. */
export function botUserOf(bot: Bot): Wire {
  return {
    id: Number(botIdOf(bot)),
    is_bot: true,
    first_name: bot.name,
    username: bot.username,
  }
}

/** Converts ms since 1970 to the seconds that Telegram uses. */
export const seconds = (at: number) => Math.floor(at / 1_000)

/** The kind of a file in a message of the Bot API. */
export type FileKind = 'photo' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'

/** Returns a file of a message, under the name of its kind. `id` is the shelf's. */
export function fileOf(
  kind: FileKind,
  { id, file, name }: { id: string; file: ShelvedFile; name?: string | undefined },
): Wire {
  const known = {
    file_id: fileIdOf(id),
    file_unique_id: `u${id}`,
    file_size: file.bytes.length,
  }
  const typed = { ...known, mime_type: file.mimeType }
  const named = { ...typed, file_name: name ?? `file.${file.mimeType.split('/')[1]}` }
  switch (kind) {
    case 'photo':
      // Telegram sends an image in several sizes, with the largest last.
      return {
        photo: [
          { ...known, width: 90, height: 72 },
          { ...known, width: 800, height: 640 },
        ],
      }
    case 'video':
      return { video: { ...named, duration: 1, width: 720, height: 1_280 } }
    case 'audio':
      return { audio: { ...named, duration: 5 } }
    case 'voice':
      return { voice: { ...typed, duration: 5 } }
    case 'document':
      return { document: named }
    case 'sticker':
      return { sticker: { ...known, type: 'regular', width: 512, height: 512, is_animated: false } }
  }
}

const FILE_ID = /^SIM-(\d+)$/
/** Returns the Telegram file id of a stored file. */
export const fileIdOf = (id: string) => `SIM-${id}`
/** Returns the id of a stored file from its Telegram file id; null for a text that is none of this simulator. */
export const shelfIdOf = (fileId: string) => FILE_ID.exec(fileId)?.[1] ?? null
