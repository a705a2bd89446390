/**
 * Returns the duration of a recording in milliseconds from its container: Ogg with Opus or Vorbis, and MP4. Returns
 * null for any other file, and for a truncated or implausible one. Never throws.
 */
export function audioLengthMs(file: Uint8Array): number | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.toString('latin1', 0, 4) === 'OggS') return oggLengthMs(bytes)
  return bytes.toString('latin1', 4, 8) === 'ftyp' ? mp4LengthMs(bytes) : null
}

/** Returns the duration of an Ogg file; its last page has the total number of samples. */
function oggLengthMs(bytes: Buffer): number | null {
  const rate = oggRate(bytes)
  const last = bytes.lastIndexOf('OggS', bytes.length - 1, 'latin1')
  if (rate === null || last < 0 || last + 14 > bytes.length) return null
  const samples = bytes.readBigInt64LE(last + 6)
  return samples < 0n ? null : asMs(Number(samples), rate)
}

/** Returns the samples per second. Opus counts 48,000 for any recording. */
function oggRate(bytes: Buffer): number | null {
  const head = bytes.subarray(0, 256)
  if (head.includes('OpusHead')) return 48_000
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  return vorbis < 0 || vorbis + 16 > head.length ? null : head.readUInt32LE(vorbis + 12)
}

/** Reads the `mvhd` box: version, flags, two times, then the ticks per second and the number of ticks. */
function mp4LengthMs(bytes: Buffer): number | null {
  const at = bytes.indexOf('mvhd', 0, 'latin1')
  if (at < 0) return null
  const isLong = bytes[at + 4] === 1
  const ticksAt = at + (isLong ? 24 : 16)
  if (ticksAt + 12 > bytes.length) return null
  const ticks = bytes.readUInt32BE(ticksAt)
  const length = isLong
    ? Number(bytes.readBigUInt64BE(ticksAt + 4))
    : bytes.readUInt32BE(ticksAt + 4)
  return asMs(length, ticks)
}

function asMs(count: number, perSecond: number): number | null {
  const ms = (count / perSecond) * 1_000
  return Number.isFinite(ms) ? Math.round(ms) : null
}
