/**
 * The container of a backup: an ordinary tar archive (ustar), which common tools can read. It supports only what a
 * backup needs: files with short names, written and read in pieces.
 */
const BLOCK = 512
const NAME_BYTES = 100
/** Largest value of the size field. */
const MAX_BYTES = 0o77777777777

/**
 * Returns the header of an entry of a tar archive.
 * @throws when name or size do not fit.
 */
export function tarHeader(name: string, size: number, at: Date): Buffer {
  const header = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`The name ${name} is too long`)
  if (size > MAX_BYTES) throw new Error(`${name} is too large`)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(Math.floor(at.getTime() / 1000), 11), 136)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  header.write(octal(checksum(header), 6), 148)
  header.write(' ', 155)
  return header
}

/** Returns the padding after an entry of that size in a tar archive, up to the next block. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

/** The two empty blocks at the end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** A piece of an entry's content. An entry without content has one empty piece. */
export type TarPiece = { name: string; bytes: Buffer; isLast: boolean }

/**
 * Reads the entries of a tar archive, each in one or more pieces.
 * @throws when it was not made by this program or is incomplete
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarPiece> {
  let rest: Buffer = Buffer.alloc(0)
  const chunks = source[Symbol.asyncIterator]()
  async function more(): Promise<void> {
    const { value, done } = await chunks.next()
    if (done) throw new Error('it is incomplete')
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
  }
  async function take(bytes: number): Promise<Buffer> {
    while (rest.length < bytes) await more()
    const taken = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return taken
  }

  for (;;) {
    const header = await take(BLOCK)
    if (header.every((byte) => byte === 0)) break
    const { name, size } = readHeader(header)
    let left = size
    do {
      if (rest.length === 0 && left > 0) await more()
      const bytes = await take(Math.min(left, rest.length))
      left -= bytes.length
      yield { name, bytes, isLast: left === 0 }
    } while (left > 0)
    await take(tarPadding(size).length)
  }
  // The checksum of the compression is at the end of the file, so the rest is read, too.
  while (!(await chunks.next()).done);
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const size = Number.parseInt(text(124, 136), 8)
  const isOurs =
    text(257, 263) === 'ustar' &&
    Number.parseInt(text(148, 156), 8) === checksum(header) &&
    Number.isSafeInteger(size)
  if (!isOurs) throw new Error('it is not a backup file')
  return { name: text(0, NAME_BYTES), size }
}

/** Returns the sum of the header's bytes, in which the field of the checksum counts as spaces. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}
