/**
 * A customer's file lies encrypted at WhatsApp. What it takes to fetch it (where it is, the key to it and
 * what it is) stands in the message alone, and is kept as the file's id at the provider.
 */
import { readFields, readJson, readText, type Fields } from '../provider/read-values.ts'

export type QrMediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

export type QrMedia = { kind: QrMediaKind; mediaKey: string; directPath?: string; url?: string }

/** Base64 of a key, which may have come as such or as a list of bytes. */
function readKey(value: unknown): string | undefined {
  if (typeof value === 'string') return readText(value)
  const bytes = readFields(value)
  const list = Array.isArray(bytes.data) ? bytes.data : Object.values(bytes)
  const isBytes = list.length === 32 && list.every((byte) => Number.isInteger(byte))
  return isBytes ? Buffer.from(list as number[]).toString('base64') : undefined
}

/**
 * Where a file lies stands in the customer's message, and whoever fetches it puts the path behind the name of
 * WhatsApp's host: what is no path there, or an address elsewhere, would make them ask any machine.
 */
function readPlaces({ directPath, url }: Fields): { directPath?: string; url?: string } {
  const path = readText(directPath)
  const address = URL.parse(readText(url) ?? '')
  const isAtWhatsApp =
    address?.protocol === 'https:' &&
    address.host.endsWith('.whatsapp.net') &&
    address.username + address.password === ''
  return {
    ...(path?.startsWith('/') && { directPath: path }),
    ...(isAtWhatsApp && { url: address.href }),
  }
}

/** Undefined where the message holds no key, or no place: then nobody can ever read the file. */
export function writeMediaId(kind: QrMediaKind, body: Fields): string | undefined {
  const mediaKey = readKey(body.mediaKey)
  const { directPath, url } = readPlaces(body)
  if (mediaKey === undefined || (directPath ?? url) === undefined) return undefined
  return JSON.stringify({ kind, mediaKey, directPath, url } satisfies Record<
    keyof QrMedia,
    unknown
  >)
}

export function readMediaId(id: string | undefined): QrMedia | null {
  const { kind, mediaKey, ...where } = readFields(readJson(id ?? ''))
  const places = readPlaces(where)
  if (typeof kind !== 'string' || typeof mediaKey !== 'string') return null
  if ((places.directPath ?? places.url) === undefined) return null
  return { kind: kind as QrMediaKind, mediaKey, ...places }
}
