/**
 * Runs the demonstration once from end to end. A hook request starts a flow, the template is sent, the simulated
 * customer answers, and the signed events arrive. A second flow then calls the shop's API before it sends. Each step
 * is printed; the exit code is 0 only if all of them happened. Database, data folder and ports are separate, so that
 * it can run next to `npm start`, and the shell's settings are ignored. Ctrl-C leaves nothing behind.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DEMONSTRATION_BODY } from '../src/banner.ts'
import { readConfig } from '../src/app/config.ts'
import { start } from '../src/start.ts'
import { stopOnSignals } from '../src/app/stop-signals.ts'

const WITHIN_MS = 30_000
const EVENTS = ['contact.created', 'conversation.started', 'message.received', 'flow.completed']

const began = performance.now()
const dataFolder = mkdtempSync(path.join(tmpdir(), 'wasla-demo-'))
const config = readConfig(
  {
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    DATA_FOLDER: dataFolder,
    DEMONSTRATION: 'on',
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
  },
  [],
  path.join(import.meta.dirname, '..'),
)

const received: string[] = []
const apiRequests: string[] = []
let step = 0
function seen(what: string) {
  step += 1
  console.log(`${seconds().padStart(6)} s  ${step}. ${what}`)
}
function seconds(): string {
  return ((performance.now() - began) / 1_000).toFixed(1)
}

let isStopped = false

/** Polls until `look` returns a value. @throws when the time of the whole run is over, or the run was stopped */
async function until<Value>(what: string, look: () => Value | undefined | null | false) {
  for (;;) {
    if (isStopped) throw new Error(`stopped before it was seen: ${what}`)
    const value = look()
    if (value) return value
    if (performance.now() - began > WITHIN_MS) throw new Error(`not seen in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function journey() {
  const started = await start(
    config,
    (line) => received.push(line),
    (line) => apiRequests.push(line),
  )
  try {
    const { hookToken, statusHookToken, simulators } = started.demonstration!
    const { whatsApp: simulator } = simulators
    seen('Wasla, the simulator, the receiver and the shop’s API run')
    const unique = String(Date.now() % 10_000).padStart(4, '0')
    const body = {
      ...DEMONSTRATION_BODY,
      customer: { ...DEMONSTRATION_BODY.customer, phone: `+120255${unique.slice(0, 1)}${unique}` },
    }
    const sendHook = async (token = hookToken) => {
      const response = await fetch(`http://127.0.0.1:${started.port}/hooks/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `demo-${unique}` },
        body: JSON.stringify(body),
      })
      return {
        http: response.status,
        ...((await response.json()) as { id: string; status: string }),
      }
    }
    const first = await sendHook()
    if (first.http !== 202 || first.status !== 'accepted') throw new Error(JSON.stringify(first))
    seen(`the hook answered 202 accepted, run ${first.id}`)
    const again = await sendHook()
    if (again.http !== 200 || again.status !== 'duplicate' || again.id !== first.id) {
      throw new Error(JSON.stringify(again))
    }
    seen('the same request again answered 200 duplicate with the same id')
    const sent = await until('the template at the simulator', () =>
      simulator.messages().find((message) => message.to === body.customer.phone.slice(1)),
    )
    seen(`the template reached WhatsApp (simulated) as ${sent.wamid}`)
    for (const type of EVENTS) {
      const line = await until(`${type} at the receiver`, () =>
        received.find((text) => text.startsWith(`${type} `) && text.includes(' verified ')),
      )
      seen(`the receiver verified ${line.slice(0, 100)}`)
      if (type === 'flow.completed' && !line.includes(first.id)) {
        throw new Error(`flow.completed is of another run: ${line}`)
      }
    }
    const templates = simulator.messages().filter((message) => message.to === sent.to)
    if (templates.length !== 1) throw new Error(`${templates.length} templates went out, not one`)

    const second = await sendHook(statusHookToken)
    if (second.http !== 202) throw new Error(JSON.stringify(second))
    seen(`the second flow's hook answered 202 accepted, run ${second.id}`)
    const call = await until('the call at the shop’s API', () =>
      apiRequests.find((line) => line.startsWith('GET /api/orders/1043 ')),
    )
    if (!call.endsWith(' 200')) throw new Error(`the shop's API answered: ${call}`)
    seen(`the flow asked the shop’s API with its key: ${call}`)
    const status = await until('the order’s status at the simulator', () =>
      simulator
        .messages()
        .find((message) => message.to === sent.to && message.text.includes('shipped')),
    )
    seen(`the customer got its response: "${status.text}"`)
    await until('flow.completed of the second run', () =>
      received.find(
        (line) =>
          line.startsWith('flow.completed ') &&
          line.includes(second.id) &&
          line.includes('"http_status":"200"'),
      ),
    )
    seen('the receiver verified its flow.completed, with what was kept of the answer')
    console.log(`Every step was seen, in ${seconds()} s.`)
  } finally {
    await started.stop()
  }
}

async function run() {
  try {
    await journey()
  } catch (error) {
    process.exitCode = 1
    if (isStopped) {
      console.error('Stopped before every step was seen.')
      return
    }
    console.error(`FAILED: ${error instanceof Error ? error.message : String(error)}`)
    for (const line of received) console.error(`[receiver] ${line}`)
    for (const line of apiRequests) console.error(`[shop's API] ${line}`)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const running = run()
stopOnSignals(() => {
  isStopped = true
  return running
})
await running
