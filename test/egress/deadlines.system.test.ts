/** Deadlines of requests to merchants' servers. These tests measure real time. */
import { expect, test } from 'vitest'
import { startStopwatch } from '../support/stopwatch.ts'
import { errorOf, outboundBench } from './support/outbound-bench.ts'
import { drip } from './support/receiver.ts'

const bench = outboundBench({
  '/header-drips': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-long: ')
    drip(socket, 20, 'x')
  },
})

test('a deadline is absolute: headers that arrive byte by byte every 20 ms do not move it', async () => {
  const tookMs = startStopwatch()
  expect(errorOf(await bench.send('/header-drips', { deadlineMs: 1_500 }))).toBe('timeout')
  expect(tookMs()).toBeLessThan(5_000)
})
