/** The part of an answer that the log keeps, and the duration of an attempt that it shows. */
import { afterAll, describe, expect, test } from 'vitest'
import type { DeliveryDetail } from '../../src/contract/dashboard/delivery.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { reply, type Answer } from '../egress/support/receiver.ts'
import { createHostileResolver, startHostileReceiver } from '../support/hostile-receiver.ts'
import { signedIn } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { deliveriesOf, putAttempts } from '../support/records/deliveries.ts'
import { only } from '../support/records/records.ts'
import { createOwnShop } from '../support/shop.ts'

type Kept = { bytes: number; isCut: boolean; areHeadersCut: boolean }
type Row = { what: string; answer: Answer; kept: Partial<Kept> | null }

const headers = (bytes: number) => [`x-long: ${'h'.repeat(bytes - 'x-long'.length)}`]
const body = (length: number) => reply('200 OK', 'b'.repeat(length))

const ROWS: Record<string, Row> = {
  'body-2048': { what: '2,048 bytes', answer: body(2_048), kept: { bytes: 2_048, isCut: false } },
  'body-2049': { what: '2,049 bytes', answer: body(2_049), kept: { bytes: 2_048, isCut: true } },
  'body-breaks': {
    what: 'the beginning of a body that breaks off',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\npart'),
    kept: { bytes: 4, isCut: true },
  },
  'body-failed': {
    what: 'a long page of an error',
    answer: reply('500 Oh', 'b'.repeat(5_000)),
    kept: { bytes: 2_048, isCut: true },
  },
  'headers-few': {
    what: '7 KB of headers',
    answer: reply('200 OK', '', headers(7_000)),
    kept: { bytes: 0, isCut: false, areHeadersCut: false },
  },
  'headers-more': {
    what: '12 KB of headers',
    answer: reply('200 OK', '', [...headers(7_000), ...headers(5_000)]),
    kept: { isCut: false, areHeadersCut: true },
  },
  'headers-too-many': {
    what: 'more than 16 KB of headers: a failure, whatever the status',
    answer: reply('200 OK', '', headers(17_000)),
    kept: null,
  },
}

type Shown = { log: DeliveryDetail['log']; again(): Promise<DeliveryDetail>; id: string }
const shown = new Map<string, Shown>()

const world = await openWorld({ resolve: createHostileResolver({}) })
const receiver = await startHostileReceiver(world.receiver.authority, (row) =>
  row === 'clock'
    ? (socket, request) => {
        world.clock.advance(HOUR_MS)
        setTimeout(() => reply('200 OK')(socket, request), 60)
      }
    : ROWS[row]!.answer,
)
for (const row of Object.keys(ROWS)) await attempt(row)
afterAll(() => receiver.close())

/** Attempts one event to an endpoint at this row of the receiver. Returns it as the dashboard shows it. */
async function attempt(row: string): Promise<Shown> {
  const at = { ...world, receiver: { ...world.receiver, url: receiver.url(row) } }
  const { companyId, accountId } = await createOwnShop(at)
  await raisePings(world, { companyId })
  await world.service.processAll()
  const { id } = only(await deliveriesOf(world, { companyId }))
  const owner = await signedIn(world, { accountId })
  const again = async () =>
    (await owner.ask<DeliveryDetail>('GET', `/companies/${companyId}/deliveries/${id}`)).body
  const told = { id, again, log: (await again()).log }
  shown.set(row, told)
  return told
}

describe('the log keeps 2 KB of an answer and 8 KB of its headers, and knows whether there was more', () => {
  test.each(Object.entries(ROWS).map(([row, { what }]) => [what, row]))('%s', (_, row) => {
    const { kept } = ROWS[row]!
    const [first] = shown.get(row)!.log
    if (kept !== null) return expect(first!.answer).toMatchObject(kept)
    expect(first).toMatchObject({ error: { code: 'bad_response' }, answer: null })
  })
})

test('an answer stored before its truncation was recorded is judged by its length', async () => {
  const { id, again } = shown.get('body-2049')!
  await putAttempts(world, id, { answerIsCut: null, headersAreCut: null })
  const { log } = await again()
  expect(log[0]!.answer).toMatchObject({ isCut: true, areHeadersCut: false })
})

test('the duration of an attempt does not depend on a clock that is set meanwhile', async () => {
  const { log } = await attempt('clock')
  expect(log[0]!.httpStatus).toBe(200)
  expect(log[0]!.durationMs).toBeGreaterThanOrEqual(50)
  expect(Math.floor(log[0]!.durationMs / HOUR_MS)).toBe(0)
})
