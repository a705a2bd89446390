/** Two processes at one broadcast: both write to its recipients, one is killed, and the other ends it. */
import net from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openBroadcastProcesses } from '../support/broadcast-processes.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const RECIPIENTS = 400

/** Sends that went through each process's own door to the provider. */
const sends = [0, 0]
const doors: net.Server[] = []
const processes = await openBroadcastProcesses(sends.map((_, nth) => (url) => openDoor(nth, url)))
afterAll(() => {
  for (const door of doors) door.close()
})

/** Passes everything on, and counts the sends. */
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
  'Both work at one broadcast; one is killed on the way: nobody gets it twice, and nobody is left',
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
    // What the dead one had written to its connections may be read after its end.
    expect(sends[0]! + sends[1]!).toBeLessThanOrEqual(RECIPIENTS)
    // What the dead one had under way at that moment is at most its share of a second or two.
    await processes.expectEachOnce(id, { recipients: RECIPIENTS, unknownMost: 100 })
  },
  150_000 * TIMEOUT_FACTOR,
)
