/** A graceful stop of the service waits for work that goes on without its connection. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOG_LIMITS } from '../../src/core/limits/deliveries.ts'
import { apiRequest } from '../support/dashboard.ts'
import { createTestDatabase } from '../support/database.ts'
import { holdTimers } from '../support/held-timers.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { putEndpoint } from '../support/records/endpoints.ts'
import { waitUntil } from '../support/wait.ts'
import { createWorldOn } from '../support/world.ts'

describe('A service that is stopping', () => {
  /** Opens a service for which the mail server and the name server answer when the test says so. */
  async function openSlow() {
    const order: string[] = []
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const answered = async <Value>(value: Value) => {
      asked.resolve()
      await answer.promise
      order.push('answered')
      return value
    }
    const world = await createWorldOn(await createTestDatabase(), {
      mailer: { send: () => answered([]) },
      resolve: () => answered(['127.0.0.1']),
    })
    onTestFinished(() => world.close())
    const isStopped = () => order.includes('stopped')
    return {
      world,
      ...(await ownedShop(world)),
      asked: asked.promise,
      order,
      isStopped,
      stop: () => world.service.stop().then(() => void order.push('stopped')),
      /** Lets the other server answer once a service that did not wait for it would have stopped. */
      async answerLate() {
        let turns = 0
        const isOver = () => isStopped() || (turns += 1) > 200
        await waitUntil('a service that does not wait to stop', isOver, { everyMs: 0 })
        answer.resolve()
      },
    }
  }

  test('finishes a request whose client has gone', async () => {
    const { world, shop, owner, asked, order, stop, answerLate } = await openSlow()
    await putEndpoint(world, shop, { url: 'https://shop.merchant.example/events' })
    const gone = new AbortController()
    const path = `/api/companies/${shop.companyId}/endpoints/${shop.endpointId}/tests`
    const request = fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: '{}',
      signal: gone.signal,
    })
    await asked
    gone.abort()
    await expect(request).rejects.toThrow('aborted')
    const stopped = stop()
    await answerLate()
    await stopped
    expect(order).toEqual(['answered', 'stopped'])
  })

  test('records a test event whose response did not wait for it', async () => {
    const { world, shop, owner, asked, order, stop, answerLate } = await openSlow()
    const { port } = new URL(world.receiver.url)
    await putEndpoint(world, shop, { url: `https://shop.merchant.example:${port}/events` })
    const timers = holdTimers(LOG_LIMITS.testWaitMs, LOG_LIMITS.testWaitMs)
    onTestFinished(() => timers.release())
    const path = `/companies/${shop.companyId}/endpoints/${shop.endpointId}/tests`
    const answer = owner.ask('POST', path, {})
    await asked
    expect(timers.elapse()).toBe(1)
    expect(await answer).toMatchObject({ status: 201, body: { state: 'pending' } })
    const stopped = stop()
    await answerLate()
    await stopped
    expect(order).toEqual(['answered', 'stopped'])
    expect(world.receiver.received).toHaveLength(1)
    expect(world.logged.filter((line) => line.includes('not recorded'))).toEqual([])
  })

  test('mails the link for a forgotten password whose request it has answered', async () => {
    const { world, owner, asked, order, stop, answerLate } = await openSlow()
    const json = { email: owner.email }
    expect((await apiRequest(world.url, 'POST', '/password-reset', { json })).status).toBe(204)
    await asked
    const stopped = stop()
    await answerLate()
    await stopped
    expect(order).toEqual(['answered', 'stopped'])
  })

  test('does not wait for the rest of a request whose client has gone', async () => {
    const { world, stop, isStopped } = await openSlow()
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    socket.write('POST /api/session HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n')
    socket.write('Content-Type: application/json\r\nContent-Length: 90\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('100 Continue')
    socket.write('{"email":')
    socket.destroy()
    void stop()
    await waitUntil('the service to stop', isStopped, { withinMs: 15_000 })
  })
})
