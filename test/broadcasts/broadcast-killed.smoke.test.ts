/**
 * The service is killed at random moments during a broadcast, and started again. Whatever the moment, no customer gets
 * the message twice, none is left out, and an unknown outcome is shown as such.
 */
import { expect, test } from 'vitest'
import { openBroadcastProcesses } from '../support/broadcast-processes.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('broadcast-killed')

const KILLS = howManyKills({ max: 4 })
/** `KILLS=30 KILL_ROWS=5000` asks for more than fits a run of the whole suite. */
const RECIPIENTS = Number(process.env.KILL_ROWS) || (IS_FULL_SIZE ? 600 : 120)
/** A time longer than every lease, so that the next start continues what the killed process had claimed. */
const LEASES_MS = 61_000

const processes = await openBroadcastProcesses([(url) => Promise.resolve(url)])

test(
  `killed ${KILLS} times on the way to ${RECIPIENTS} recipients, it writes to each once`,
  async () => {
    const { simulator, services, read } = processes
    const service = services[0]!
    const id = await processes.send(RECIPIENTS)
    await service.startLater()
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Every other kill comes when something went out, however slow the machine is.
      const before = simulator.messages().length
      const goesOn = () => simulator.messages().length > before
      if (kill % 2 === 1 && before < RECIPIENTS / 2) await waitUntil('something is sent', goesOn)
      await new Promise((resolve) => setTimeout(resolve, random() * 400))
      await service.kill()
      await service.startLater(kill % 6 === 5 ? LEASES_MS : 0)
    }
    const isDone = async () => (await read(id)).state === 'done'
    const pacedMs = (RECIPIENTS / 50) * 1_000
    const allHandedOver = async () => {
      const { state, enqueuedTo, total } = await read(id)
      return state === 'done' || (state === 'sending' && enqueuedTo === total)
    }
    await waitUntil('all have had their turn', allHandedOver, { withinMs: pacedMs + 60_000 })
    await service.kill()
    await service.startLater(LEASES_MS)
    await waitUntil('the broadcast is done', isDone, { withinMs: 60_000 })
    await simulator.idle()
    expect(simulator.messages().length).toBeGreaterThan(0)
    await processes.expectEachOnce(id, { recipients: RECIPIENTS, maxUnknown: KILLS * 50 })
  },
  (killsTakeMs(KILLS) + RECIPIENTS * 40) * TIMEOUT_FACTOR,
)
