/** Accepts everything that is posted to it and does nothing. */
import { serveLocally } from './local-server.ts'

export async function startNowhere() {
  const { url, close } = await serveLocally((_, response) => response.end('ok'))
  return { url: `${url}/`, close }
}
