import { expect, test } from 'vitest'
import { voiceNote } from '../../support/recordings.ts'
import { audioLengthMs } from '../../../src/rules/files/audio-length.ts'

/** An MP4 with no more than its brand and its movie header. */
function mp4(ticks: number, length: number, version: 0 | 1 = 0): Buffer {
  const header = Buffer.alloc(version === 1 ? 36 : 24)
  header[0] = version
  const at = version === 1 ? 20 : 12
  header.writeUInt32BE(ticks, at)
  if (version === 1) header.writeBigUInt64BE(BigInt(length), at + 4)
  else header.writeUInt32BE(length, at + 4)
  return Buffer.concat([Buffer.from('\0\0\0\x18ftypM4A \0\0\x02\0mvhd', 'latin1'), header])
}

const vorbis = (at = 28) => {
  const head = Buffer.alloc(at + 16)
  head.write('OggS', 0, 'latin1')
  head.write('\x01vorbis', at, 'latin1')
  head.writeUInt32LE(44_100, at + 12)
  const last = Buffer.alloc(27)
  last.write('OggS', 0, 'latin1')
  last.writeBigInt64LE(441_000n, 6)
  return Buffer.concat([head, last])
}

test.each([
  ['Ogg with Opus', voiceNote(181), 181_000],
  ['Ogg with Vorbis', vorbis(), 10_000],
  ['Ogg with Vorbis in the last 16 of the first 256 bytes', vorbis(240), 10_000],
  ['Ogg whose last page ends with its length', vorbis().subarray(0, -13), 10_000],
  ['MP4', mp4(1_000, 200_500), 200_500],
  ['MP4 with long numbers', mp4(48_000, 96_000, 1), 2_000],
])('%s says how long it is', (_what, bytes, ms) => expect(audioLengthMs(bytes)).toBe(ms))

test.each([
  ['nothing', Buffer.alloc(0)],
  ['MPEG sound', Buffer.from('fffb9064', 'hex')],
  ['Ogg of something else', Buffer.from('OggS'.padEnd(80, '\0'), 'latin1')],
  ['Ogg with Vorbis after the first 256 bytes', vorbis(241)],
  ['Ogg that is cut in its length', vorbis().subarray(0, -14)],
  ['Ogg that is cut', voiceNote(5).subarray(0, 55)],
  ['MP4 that is cut', mp4(1_000, 2_000).subarray(0, 30)],
  ['MP4 without ticks', mp4(0, 0)],
])('%s has no length, or zero', (_what, bytes) => {
  const ms = audioLengthMs(bytes)
  expect(ms === null || ms === 0).toBe(true)
})
