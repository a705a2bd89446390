/** Bodies that arrive too slowly. These tests wait for real time and measure it. */
import { expect, test } from 'vitest'
import { BODY_LIMITS } from '../../src/core/limits/http.ts'
import { requestText, talk } from '../hooks/raw-http.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { createWebsite, openWidget } from '../support/visitors.ts'
import { openWorld } from '../support/open-world.ts'

const WRONG = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }

const world = await openWorld({ trustedProxies: '127.0.0.0/24' })
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })

test('a slow body that may be large is dropped after a few seconds, on every route', async () => {
  const website = await createWebsite(world, 'web_widget', { shop, owner })
  const { token } = await openWidget(world.url, website.key)
  const dribble = (path: string, headers: Record<string, string>) =>
    talk(world.url, (socket) => {
      socket.write(requestText(path, { headers: { ...headers, 'content-length': '4000000' } }))
      const timer = setInterval(() => socket.write('x'.repeat(1_000)), 500)
      socket.once('close', () => clearInterval(timer))
    })
  const answers = await Promise.all([
    dribble('/webhooks/whatsapp', WRONG),
    dribble('/widget/v1/uploads', {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
    }),
  ])
  expect(answers.map(({ responses }) => responses.map(({ status }) => status))).toEqual([
    [408],
    [503],
  ])
  expect(JSON.parse(answers[1].responses[0]!.body)).toMatchObject({ reason: 'body_too_slow' })
  for (const { tookMs } of answers) {
    expect(tookMs).toBeGreaterThan(BODY_LIMITS.slowSeconds * 1_000)
    expect(tookMs).toBeLessThan(BODY_LIMITS.slowSeconds * 1_000 + 5_000)
  }
})
