/** Recordings and pictures of customers, as small as they can be. */

/** Returns a voice note in Ogg with Opus: a first page with its header, and a last one that says how long it is. */
export function voiceNote(seconds: number): Buffer {
  const page = (flags: number, samples: number, body: Buffer) => {
    const head = Buffer.alloc(27)
    head.write('OggS', 0, 'latin1')
    head[5] = flags
    head.writeBigInt64LE(BigInt(samples), 6)
    return Buffer.concat([head, body])
  }
  const opusHead = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0', 'latin1')
  return Buffer.concat([page(2, 0, opusHead), page(4, seconds * 48_000, Buffer.alloc(8))])
}

/** Returns a JPEG that has only its signature and a name, by which a test recognises it. */
export const picture = (name: string): Buffer =>
  Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(name)])
