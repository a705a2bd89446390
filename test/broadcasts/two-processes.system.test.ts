/** Two processes send one broadcast. One of them is killed, and the other finishes it. */
import net from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openBroadcastProcesses } from '../support/broadcast-processes.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const RECIPIENTS = 400

/** The sends that passed each process's proxy to the provider. */
const sends = [0, 0]
const proxies: net.Server[] = []
const processes = await openBroadcastProcesses(sends.map((_, nth) => (url) => openDoor(nth, url)))
afterAll(() => {
  for (const proxy of proxies) proxy.close()
})

/** Opens a proxy that counts the sends. */
async function openDoor(nth: number, providerUrl: string): Promise<string> {
  const provider = new URL(providerUrl)
  const proxy = net.createServer((socket) => {
    const there = net.connect(Number(provider.port), provider.hostname)
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
    socket.on('data', (bytes) => {
      sends[nth]! += bytes.toString('latin1').match(/POST \S+\/messages HTTP/g)?.length ?? 0
    })
  })
  proxies.push(proxy)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(providerUrl)
  url.port = String((proxy.address() as net.AddressInfo).port)
  return url.href.replace(/\/$/, '')
}

test(
  'Two processes send one broadcast, and if one is killed each recipient still gets it once',
  async () => {
    const { services, simulator, read } = processes
    const id = await processes.send(RECIPIENTS)
    await Promise.all(services.map((service) => service.start()))
    const max = { withinMs: 60_000 }
    const bothHave = () => sends.every((count) => count >= 10)
    await waitUntil('both have sent some', bothHave, max)
    expect(simulator.messages().length).toBeLessThan(RECIPIENTS)
    await services[1]!.kill()
    const isDone = async () => (await read(id)).state === 'done'
    await waitUntil('the other ends it', isDone, max)
    await simulator.idle()
    // The provider may still read what the killed process had written to its connections.
    expect(sends[0]! + sends[1]!).toBeLessThanOrEqual(RECIPIENTS)
    // The killed process had at most its share of a second or two in flight.
    await processes.expectEachOnce(id, { recipients: RECIPIENTS, maxUnknown: 100 })
  },
  150_000 * TIMEOUT_FACTOR,
)
