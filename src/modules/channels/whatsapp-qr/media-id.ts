/**
 * Ids of customers' files. WhatsApp stores files encrypted; only the message contains their address, key and type,
 * which are kept as the file's provider id.
 */
import { readFields, readProviderJson, readText, type Fields } from '../provider/read-values.ts'

/** A kind of file. */
export type QrMediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

/** A reference to an encrypted file. */
export type QrMedia = { kind: QrMediaKind; mediaKey: string; directPath?: string; url?: string }

/** Returns a key in Base64, which may also be a list of bytes. */
function readKey(value: unknown): string | undefined {
  if (typeof value === 'string') return readText(value)
  const bytes = readFields(value)
  const list = Array.isArray(bytes.data) ? bytes.data : Object.values(bytes)
  const isBytes = list.length === 32 && list.every((byte) => Number.isInteger(byte))
  return isBytes ? Buffer.from(list as number[]).toString('base64') : undefined
}

/**
 * Returns the address of a file. The sender controls it, and the bridge appends the path to WhatsApp's host name:
 * another form of path or another host would allow requests to any server.
 */
function readAddresses({ directPath, url }: Fields): { directPath?: string; url?: string } {
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

/** Encodes what the bridge needs to download a file as the file's id; undefined when the message lacks it. */
export function writeMediaId(kind: QrMediaKind, body: Fields): string | undefined {
  const mediaKey = readKey(body.mediaKey)
  const { directPath, url } = readAddresses(body)
  if (mediaKey === undefined || (directPath ?? url) === undefined) return undefined
  return JSON.stringify({ kind, mediaKey, directPath, url } satisfies Record<
    keyof QrMedia,
    unknown
  >)
}

/** Decodes the id of a file that `writeMediaId` has encoded. Returns null when it is invalid. */
export function readMediaId(id: string | undefined): QrMedia | null {
  const { kind, mediaKey, ...addressFields } = readFields(readProviderJson(id ?? ''))
  const addresses = readAddresses(addressFields)
  if (typeof kind !== 'string' || typeof mediaKey !== 'string') return null
  if ((addresses.directPath ?? addresses.url) === undefined) return null
  return { kind: kind as QrMediaKind, mediaKey, ...addresses }
}
