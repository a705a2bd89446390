/** Two processes send one broadcast. One of them is killed, and the other finishes it. */
import net from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openBroadcastProcesses } from '../support/broadcast-processes.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const RECIPIENTS = 400

/** The sends that passed each process's proxy to the provider. */
const sends = [0, 0]
const doors: net.Server[] = []
const processes = await openBroadcastProcesses(sends.map((_, nth) => (url) => openDoor(nth, url)))
afterAll(() => {
  for (const door of doors) door.close()
})

/** Opens a proxy that counts the sends. */
async function openDoor(nth: number, providerUrl: string): Promise<string> {
  const provider = new URL(providerUrl)
  const door = net.createServer((socket) => {
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
  doors.push(door)
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const url = new URL(providerUrl)
  url.port = String((door.address() as net.AddressInfo).port)
  return url.href.replace(/\/$/, '')
}

test(
  'Two processes send one broadcast, and if one is killed each recipient still gets it once',
  async () => {
    const { services, simulator, read } = processes
    const id = await processes.send(RECIPIENTS)
    await Promise.all(services.map((service) => service.start()))
    const most = { withinMs: 60_000 }
    const bothHave = () => sends.every((count) => count >= 10)
    await waitUntil('both have sent some', bothHave, most)
    expect(simulator.messages().length).toBeLessThan(RECIPIENTS)
    await services[1]!.kill()
    const isDone = async () => (await read(id)).state === 'done'
    await waitUntil('the other ends it', isDone, most)
    await simulator.idle()
    // The provider may still read what the killed process had written to its connections.
    expect(sends[0]! + sends[1]!).toBeLessThanOrEqual(RECIPIENTS)
    // The killed process had at most its share of a second or two in flight.
    await processes.expectEachOnce(id, { recipients: RECIPIENTS, unknownMost: 100 })
  },
  150_000 * TIMEOUT_FACTOR,
)
