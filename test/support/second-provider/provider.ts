/** The made-up provider itself, over real HTTP: bots by their tokens, what they sent, and its posts. */
import { serveLocally } from '../local-server.ts'

type SentByBot = {
  id: string
  chat: string
  text: string
  ourReference: string
  /** The bytes of the file in Base64. */
  file: string | null
}

export async function startSecondProvider() {
  const tokens = new Set<string>()
  const sent: SentByBot[] = []
  const pictures = new Map<string, Buffer>()
  const { url, close } = await serveLocally((request, response, bytes) => {
    const body = bytes.toString()
    const [, token = '', method = ''] = request.url!.split('/').map(decodeURIComponent)
    const json = JSON.parse(body) as Omit<SentByBot, 'id'> & { after: string | null }
    if (!tokens.has(token)) return response.writeHead(401).end()
    if (method === 'me') return response.end(`Bot ${token.split(':', 1)[0]}`)
    if (method === 'templates') {
      const page = Number(json.after ?? 1)
      const next = page < 3 ? String(page + 1) : null
      return response.end(JSON.stringify({ name: `page-${page}`, next }))
    }
    if (method === 'picture') {
      const picture = pictures.get((JSON.parse(body) as { id: string }).id)
      return picture ? response.end(picture) : response.writeHead(404).end()
    }
    const id = `sent-${sent.length + 1}`
    sent.push({ ...json, id })
    return response.end(JSON.stringify({ id }))
  })
  return {
    url,
    tokens,
    sent,
    /** The pictures that customers sent, by their ids. */
    pictures,
    /** Posts an update as the provider would. Returns the status of the answer. */
    async post(to: string, secret: string | null, update: object): Promise<number> {
      const headers: Record<string, string> =
        secret === null ? {} : { 'x-second-provider-secret': secret }
      const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(update) })
      await response.arrayBuffer()
      return response.status
    },
    close,
  }
}
