/**
 * Plays the bridge of numbers that are linked by QR code, and the phones on both sides of it: the one that
 * scans the code and those of customers. Nothing is sent to WhatsApp.
 */
import { randomBytes } from 'node:crypto'
import type { SimulatedProvider } from '../provider.ts'
import { createSimulatedBridge, type SimulatedBridge } from './bridge.ts'
import { createBridgeRoutes } from './bridge-routes.ts'
import { createQrPhones } from './phones.ts'

export type SimulatedQr = SimulatedProvider & {
  bridge: SimulatedBridge
  secret: string
  /** Where it answers, once it is mounted. */
  url(): string
  /** While set, nobody is answered. */
  setAway(isAway: boolean): void
}

export function createSimulatedQr({ clock }: { clock: { now(): Date } }): SimulatedQr {
  const secret = randomBytes(24).toString('hex')
  const stopping = new AbortController()
  const now = () => clock.now().getTime()
  let baseUrl = ''
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
    title: 'WhatsApp by QR code',
    mount(url) {
      baseUrl = url
    },
    answer: (request, response, url) =>
      routes(request, response, url.pathname.slice(new URL(baseUrl).pathname.length)),
    phones,
    // Whoever asks for what happened waits on their side.
    idle: () => Promise.resolve(),
    close() {
      stopping.abort()
      bridge.close()
      return Promise.resolve()
    },
    bridge,
    secret,
    url: () => baseUrl,
    setAway(away) {
      isAway = away
    },
  }
}
