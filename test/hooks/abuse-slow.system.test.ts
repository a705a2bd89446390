/**
 * Many concurrent clients that send slowly, in real time: headers must be there within 10 s, the whole request
 * within 15 s.
 */
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { createShop } from '../support/shop.ts'
import { requestText, talk } from './raw-http.ts'
import { whatIsStored } from '../support/records/hooks.ts'
import { repeatWhile } from '../support/wait.ts'
import { openWorld } from '../support/open-world.ts'

/** Node looks for slow clients twice a second. */
const TOLERANCE_MS = 1_200

const world = await openWorld({ databasePool: '8' })
const shop = await createShop(world)

const byteEveryTwoSeconds = (socket: Socket, byte: string) => {
  const timer = setInterval(() => socket.write(byte), 2_000)
  socket.once('close', () => clearInterval(timer))
}

test('slow headers end after 10 s, a slow or withheld body after 15 s; others are served', async () => {
  const path = `/hooks/${shop.hookToken}`
  const long = { 'content-length': '10' }
  let isOver = false
  const slow = Promise.all([
    talk(world.url, (socket) => {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nx-a: `)
      byteEveryTwoSeconds(socket, 'a')
    }),
    talk(world.url, (socket) => socket.write(`POST ${path} HTTP/1.1\r\n`)),
    talk(world.url, (socket) => {
      socket.write(requestText(path, { headers: { 'content-length': '99' } }))
      byteEveryTwoSeconds(socket, ' ')
    }),
    talk(world.url, requestText(path, { body: '{}', headers: long })),
    talk(world.url, (socket) => {
      const head = requestText(path, { headers: { 'transfer-encoding': 'chunked' } })
      socket.write(`${head.replace(/content-length: 0\r\n/, '')}1\r\n{\r\n`)
      byteEveryTwoSeconds(socket, '1\r\n \r\n')
    }),
  ]).finally(() => (isOver = true))

  let served = 0
  const others = async () => {
    world.clock.advance(10_000)
    expect(await postHook(shop.hookUrl, ORDER)).toMatchObject({ http: 202 })
    served += 1
  }
  await repeatWhile('slow clients', () => !isOver, others, { withinMs: 25_000, everyMs: 250 })
  expect(served).toBeGreaterThan(20)

  const ended = await slow
  const limits = [
    HOOK_LIMITS.headersMs,
    HOOK_LIMITS.headersMs,
    ...Array(3).fill(HOOK_LIMITS.requestMs),
  ]
  for (const [index, { responses, tookMs, ownMs }] of ended.entries()) {
    expect(responses.map(({ status }) => status)).toEqual([408])
    expect(JSON.parse(responses[0]!.body)).toMatchObject({ id: null, status: 'request_timeout' })
    expect(tookMs).toBeGreaterThan(limits[index]! - 100)
    expect(ownMs).toBeLessThan(limits[index]! + TOLERANCE_MS)
  }
  expect((await whatIsStored(world, shop)).runs).toBe(served)
})
