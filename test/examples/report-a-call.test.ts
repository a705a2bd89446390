/** The program that reports a call, run against the service. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { messagesOf } from '../support/records/messages.ts'

const PROGRAM = path.join(import.meta.dirname, '../../examples/report-a-call/report-call.mjs')
const SECRET = 'a-secret-of-the-merchant'

const world = await openWorld()
// The program signs with the real time.
world.clock.advance(Date.now() - world.clock.now().getTime())
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const credentials = { provider: 'signed', secret: SECRET }
const given = { type: 'voice', name: 'Calls', credentials }
const channels = `/companies/${shop.companyId}/channels`
const { channel } = (await owner.ask<ConnectedChannel>('POST', channels, given)).body

async function report(secret: string): Promise<{ code: number; said: string }> {
  const env = { ...process.env, CHANNEL_URL: channel.webhookUrl!, CHANNEL_SECRET: secret }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env })
    return { code: 0, said: stdout.trim() }
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return { code, said: stdout.trim() }
  }
}

test('a call that is reported twice makes one conversation', async () => {
  expect(await report(SECRET)).toEqual({ code: 0, said: 'answered 200' })
  expect(await report(SECRET)).toEqual({ code: 0, said: 'answered 200' })
  expect(await messagesOf(world, { channelId: channel.id })).toMatchObject([
    { sender: 'assistant', text: 'Good morning, how can I help?' },
    { sender: 'customer', text: 'Where is my order 1043?' },
  ])
})

test('a program with another secret is refused, and says so', async () => {
  expect(await report('not-the-secret-of-it')).toEqual({ code: 1, said: 'answered 401' })
})
