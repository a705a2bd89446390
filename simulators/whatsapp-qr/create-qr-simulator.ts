/**
 * Simulates the bridge of numbers that are linked by QR code, and the phones on both sides: the one that scans the
 * code and those of customers. No message goes to WhatsApp.
 */
import { randomBytes } from 'node:crypto'
import type { SimulatorEnvironment, SimulatedProvider } from '../provider.ts'
import { createSimulatedBridge, type SimulatedBridge } from './bridge.ts'
import { createBridgeRoutes } from './bridge-routes.ts'
import { createQrPhones } from './phones.ts'

/** The handles of the simulator for the program that started it. */
export type QrSimulator = SimulatedProvider & {
  bridge: SimulatedBridge
  /** The secret that a client of its API presents. */
  secret: string
  /** Stops answering all calls while `isAway` is set. */
  setAway(isAway: boolean): void
}

/** Creates the simulator of numbers linked by QR code: the bridge and customers' phones. */
export function createQrSimulator({ origin, clock }: SimulatorEnvironment): QrSimulator {
  const baseUrl = `${origin}/simulator/whatsapp_qr`
  const secret = randomBytes(24).toString('hex')
  const stopping = new AbortController()
  const now = () => clock.now().getTime()
  let isAway = false
  const bridge: SimulatedBridge = createSimulatedBridge({ now, onChange: () => phones.changed() })
  const phones = createQrPhones({ bridge, now })
  const routes = createBridgeRoutes(bridge, {
    secret,
    signal: stopping.signal,
    isAway: () => isAway,
  })
  return {
    name: 'whatsapp_qr',
    title: 'WhatsApp via QR code',
    baseUrl,
    answer: (request, response, url) =>
      routes(request, response, url.pathname.slice(new URL(baseUrl).pathname.length)),
    phones,
    // Long polls wait at the client, so the simulator has no work to wait for.
    idle: () => Promise.resolve(),
    close() {
      stopping.abort()
      bridge.close()
      return Promise.resolve()
    },
    bridge,
    secret,
    setAway(away) {
      isAway = away
    },
  }
}
