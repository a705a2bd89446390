import { expect, test } from 'vitest'
import { bufferBody } from '../../src/http/buffer-body.ts'

const MAX = 100_000

/** Buffers parts of these sizes. Returns how much memory was reserved, and whether each part found some. */
function gather(sizes: readonly number[], { room = Infinity, max = MAX } = {}) {
  let taken = 0
  const take = (bytes: number) => {
    if (taken + bytes > room) return false
    taken += bytes
    return true
  }
  const body = bufferBody(max, take)
  const whole = Buffer.from(
    Array.from({ length: sizes.reduce((a, b) => a + b, 0) }, (_, at) => at % 251),
  )
  let at = 0
  const added = sizes.map((size) => body.add(whole.subarray(at, (at += size))))
  return { body, whole, added, taken: () => taken }
}

test.each([
  ['one part', [MAX]],
  ['large parts', [50_000, 20_000, 30_000]],
  ['single bytes', Array.from({ length: MAX }, () => 1)],
  ['small and large parts by turns', Array.from({ length: 10 }, (_, at) => (at % 2 ? 19_990 : 10))],
  ['parts that end with a block', [16_384, 1, 16_383, 16_384, 50_848]],
])(
  'a body in %s is complete, in order and takes no more memory than its size',
  async (_, sizes) => {
    const { body, whole, added, taken } = gather(sizes)
    expect(added).not.toContain(false)
    expect(body.size()).toBe(whole.length)
    expect((await body.whole()).equals(whole)).toBe(true)
    expect(taken()).toBe(MAX)
  },
)

test('a small body of unknown length takes one block at most', async () => {
  const { body, whole, taken } = gather([100, 100], { max: 4_000_000 })
  expect((await body.whole()).equals(whole)).toBe(true)
  expect(taken()).toBe(16_384)
})

test('a part that finds no memory is reported, a large one and a small one', () => {
  expect(gather([20_000, 20_000], { room: 39_999 }).added).toEqual([true, false])
  expect(gather([20_000, 10], { room: 20_009 }).added).toEqual([true, false])
  expect(gather([10], { room: 9, max: 10 }).added).toEqual([false])
})

test('a dropped body releases all its memory', async () => {
  const { body } = gather([20_000, 10])
  body.drop()
  expect((await body.whole()).length).toBe(0)
})
