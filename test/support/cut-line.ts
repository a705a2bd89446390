/** A connection between a browser and the service that a test can cut and restore. */
import { startRelay } from './relay.ts'

/** @param to the origin of the service */
export async function drawLine(to: string) {
  const { hostname, port } = new URL(to)
  const relay = await startRelay({ host: hostname, port: Number(port) })
  const url = `http://127.0.0.1:${relay.port}`
  return { url, cut: relay.shut, mend: relay.open, close: relay.close }
}
