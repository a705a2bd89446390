/** A shop with a widget and a form on its website, and the visitors who write there, over HTTP. */
import type { SiteView } from '../../src/contract/dashboard/site.ts'
import type { VisitorMessage, VisitorSession } from '../../src/contract/visitor.ts'
import { connectChannel } from './connect-channel.ts'
import { apiRequest, signedIn, type Answer, type Member } from './dashboard.ts'
import { defined } from './defined.ts'
import { newestConversation } from './records/conversations.ts'
import type { World } from './test-service.ts'
import { createShop, type Shop } from './shop.ts'
import { waitUntil } from './wait.ts'

/** The site that may embed them. */
export const SITE = 'https://shop.example.com'

/** Creates a shop that has connected its website. */
export async function createWebsite(
  world: World,
  type: 'web_widget' | 'website',
  known?: { shop: Shop; owner: Member },
) {
  const shop = known?.shop ?? (await createShop(world))
  const owner = known?.owner ?? (await signedIn(world, { accountId: shop.accountId }))
  const { channel } = await connectChannel(owner, shop.companyId, { type, name: 'Our website' })
  const path = `/companies/${shop.companyId}/channels/${channel.id}/site`
  const edit = async (change: object) => {
    const answer = await owner.ask<SiteView>('PATCH', path, change)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }
  await edit({ origins: [SITE] })
  const { body: site } = await owner.ask<SiteView>('GET', path)
  return { shop, owner, channelId: channel.id, key: site.key, site, edit }
}

export type Website = Awaited<ReturnType<typeof createWebsite>>

let serial = 0

/**
 * Answers the newest conversation of a website as staff, at a node when one is given. The message is not sent
 * yet.
 */
export async function staffAnswers(world: World, website: Website, text: string, node = world) {
  const { id } = await newestConversation(world, { channelId: website.channelId })
  serial += 1
  const path = `/companies/${website.shop.companyId}/conversations/${id}/messages`
  const { status } = await apiRequest(node.url, 'POST', path, {
    json: { key: `answer-${serial}`, text },
    headers: { authorization: `Bearer ${website.owner.token}` },
  })
  if (status !== 201) throw new Error(`the answer was answered ${status}`)
}

/** Sends a request to a route of a website. The body of the response is its JSON, or its text. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what is answered
export async function visitorRequest<Body>(
  url: string,
  method: string,
  path: string,
  {
    json,
    headers = {},
    body = json === undefined ? undefined : JSON.stringify(json),
  }: {
    json?: unknown
    headers?: Record<string, string>
    body?: string | Uint8Array<ArrayBuffer> | undefined
  } = {},
): Promise<Answer<Body>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...defined({ body }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const said = (isJson ? JSON.parse(text) : text) as Body
  return { status: response.status, headers: response.headers, body: said }
}

export async function openWidget(url: string, key: string, visitorToken?: string) {
  const opened = await visitorRequest<VisitorSession>(url, 'POST', '/widget/v1/sessions', {
    json: { widgetKey: key, ...(visitorToken && { visitorToken }) },
  })
  const token = opened.body.visitorToken
  let said = 0
  const bearer = { authorization: `Bearer ${token}` }
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what is answered
  const ask = <Body>(method: string, path: string, json?: unknown) =>
    visitorRequest<Body>(url, method, `/widget/v1${path}`, { headers: bearer, json })
  return {
    session: opened.body,
    token,
    ask,
    say(text: string, more: object = {}) {
      const clientMessageId = `c-${(said += 1)}`
      return ask<{ id: string }>('POST', '/messages', { clientMessageId, text, ...more })
    },
    async messages() {
      return (await ask<{ messages: VisitorMessage[] }>('GET', '/messages')).body.messages
    },
    upload: (bytes: Uint8Array<ArrayBuffer>, name = 'picture.png') =>
      visitorRequest<{ uploadId: string; kind: string }>(
        url,
        'POST',
        `/widget/v1/uploads?name=${name}`,
        {
          headers: { ...bearer, 'content-type': 'application/octet-stream' },
          body: bytes,
        },
      ),
    async listen(position?: string) {
      const { body } = await ask<{ ticket: string }>('POST', '/tickets', {})
      return listenWith(url, body.ticket, position)
    },
  }
}

/** Opens a stream and reads it as a browser does. */
export async function listenWith(url: string, ticket: string, position?: string) {
  const over = new AbortController()
  const response = await fetch(`${url}/widget/v1/stream?ticket=${ticket}`, {
    signal: over.signal,
    headers: position === undefined ? {} : { 'last-event-id': position },
  })
  const heard: { id: string; message: VisitorMessage }[] = []
  let text = ''
  let isEnded = false
  const reading = (async () => {
    if (response.status !== 200) return
    const decoder = new TextDecoder()
    for await (const part of response.body!) {
      text += decoder.decode(part, { stream: true })
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const [, id] = /^id: (.*)$/m.exec(event) ?? []
        const [, data] = /^data: (.*)$/m.exec(event) ?? []
        // A heartbeat carries no event.
        if (data && /^event: message$/m.test(event))
          heard.push({ id: id!, message: JSON.parse(data) as VisitorMessage })
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      isEnded = true
    })
  return {
    status: response.status,
    headers: response.headers,
    heard,
    texts: () => heard.map(({ message }) => message.text),
    isEnded: () => isEnded,
    hears: (wanted: string) =>
      waitUntil(`the stream to tell ${wanted}`, () =>
        heard.some(({ message }) => message.text === wanted),
      ),
    async close() {
      over.abort()
      await reading
    },
  }
}
