/** The time limits of a call and of opening its connection. These tests wait in real time. */
import { afterAll, expect, test } from 'vitest'
import { fact } from '../../src/core/facts/fact.ts'
import { serializeFact } from '../../src/core/facts/stored-fact.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { putEndpoint } from '../support/records/endpoints.ts'
import { createUnansweredPort } from '../egress/support/unanswered-port.ts'
import { raisePings } from '../support/deliveries.ts'
import { openCallBench, post } from './call-bench.ts'

const bench = await openCallBench()
const silent = await createUnansweredPort()
afterAll(() => silent.close())

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const from = performance.now()
  const value = await work()
  return { value, ms: performance.now() - from }
}

test('connecting to a silent host is limited to 5 s within the timeout, for a call and for a delivery', async () => {
  const url = `https://127.0.0.1:${silent.port}/in`
  const connectionId = await bench.connect({ baseUrl: url, timeoutMs: CALL_LIMITS.timeoutMaxMs })
  await putEndpoint(bench.world, bench.shop, { url })
  await raisePings(bench.world, bench.shop)
  const [call, delivery] = await Promise.all([
    timed(() => bench.call(connectionId, post)),
    timed(() => bench.world.service.processAll()),
  ])
  expect(call.value).toMatchObject({ outcome: 'failed', failure: 'connect_timeout', attempts: 1 })
  for (const { ms } of [call, delivery]) {
    expect(ms).toBeGreaterThan(4.5 * SECOND_MS)
    expect(ms).toBeLessThan(DELIVERY_LIMITS.answerMs - SECOND_MS / 2)
  }
  const [made] = await deliveriesOf(bench.world, bench.shop)
  expect(await attemptsOf(bench.world, made!.id)).toMatchObject([
    {
      error: 'connect_timeout',
      errorDetail: serializeFact(fact('connection_slow', { seconds: 5 })),
    },
  ])
})

test('the timeout includes reading the whole answer', async () => {
  bench.api.reply((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"status":')
  })
  const connectionId = await bench.connect({ timeoutMs: SECOND_MS })
  const { value, ms } = await timed(() => bench.call(connectionId, post))
  expect(value).toMatchObject({ outcome: 'failed', failure: 'timeout' })
  expect(ms).toBeGreaterThan(0.9 * SECOND_MS)
  expect(ms).toBeLessThan(CALL_LIMITS.timeoutDefaultMs)
})
