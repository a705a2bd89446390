import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeFolder } from '../../test/support/own-folder.ts'
import { startSimulators, type WhatsAppOptions } from '../index.ts'
import { NUMBER, TEMPLATES } from './business.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

/** A simulator with the receiver of its webhooks. */
export type Simulated = Awaited<ReturnType<typeof startSimulated>>

type PageJson = {
  chosen: string
  waitingWebhooks: number
  people: { number: string }[]
  isWindowOpen: boolean
  messages: unknown[]
}

/** A response of the Graph API. */
export type GraphAnswer = { status: number; headers: Headers; json: GraphJson }

/** The parts that tests read. An answer has either the error or some of the other fields. */
type GraphJson = {
  error: { code: number; error_subcode?: number }
  contacts: unknown
  messages: [{ id: string }]
  data: { name: string }[]
  id: string
  url: string
  paging?: { cursors: { after: string }; next?: string }
}

/** Starts a simulator and the receiver of its webhooks; both end with the test. */
export async function startSimulated({
  host = '127.0.0.1',
  log = () => {},
  ...options
}: WhatsAppOptions & { host?: string; log?: (line: string) => void } = {}) {
  const receiver = await startWebhookReceiver()
  let nowMs = Date.UTC(2026, 10, 21, 8)
  const clock = {
    now: () => new Date(nowMs),
    forwardMs: (ms: number) => void (nowMs += ms),
  }
  const numbers = [{ ...NUMBER, webhookUrl: receiver.url, templates: TEMPLATES }]
  const { whatsApp, url, pageUrl, close } = await startSimulators(
    { host, clock, log },
    { whatsApp: { numbers, stepMs: 0, templateApprovalMs: 0, ...options } },
  )
  const simulator = { ...whatsApp, url, pageUrl, close }
  onTestFinished(async () => {
    await simulator.close()
    await receiver.close()
  })
  const graph = async (path: string, init: RequestInit = {}): Promise<GraphAnswer> => {
    const headers = { authorization: `Bearer ${NUMBER.accessToken}`, ...init.headers }
    const response = await fetch(`${simulator.baseUrl}/v23.0/${path}`, { ...init, headers })
    const json = (await response.json()) as GraphJson
    return { status: response.status, headers: response.headers, json }
  }
  return {
    simulator,
    receiver,
    clock,
    graph,
    /** Returns data of the phone page. */
    async view(path: string) {
      const response = await fetch(`${simulator.pageUrl}/api/${path}`)
      return (await response.json()) as PageJson
    },
    /** Sends an action of the phone page. */
    act: (action: object, headers: Record<string, string> = {}) =>
      fetch(`${simulator.pageUrl}/api/actions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(action),
      }),
    send: (body: unknown, token: string = NUMBER.accessToken) =>
      graph(`${NUMBER.phoneNumberId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** Returns the path of a journal, in a folder that is deleted with the test. */
export function temporaryJournal(): string {
  return join(makeFolder('simulator'), 'deep', 'journal.jsonl')
}

/** Uploads a file as form data. */
export function upload(
  graph: Simulated['graph'],
  { bytes = '%PDF-1.4', type = 'application/pdf' } = {},
): Promise<GraphAnswer> {
  const body = new FormData()
  body.set('messaging_product', 'whatsapp')
  body.set('file', new Blob([bytes], { type }), 'file')
  return graph(`${NUMBER.phoneNumberId}/media`, { method: 'POST', body })
}

/** The number of the simulator's first customer. */
export const CUSTOMER = '12025550101'

/** Returns the body of a request that sends a text. */
export function textTo(to: string, body = 'Hello', more: object = {}) {
  return { messaging_product: 'whatsapp', to, type: 'text', text: { body }, ...more }
}

/** Returns the template `order_ready`, with a payload for its first button. */
export function orderReadyTo(to: string, more: object = {}) {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: {
      name: 'order_ready',
      language: { code: 'en', policy: 'deterministic' },
      components: [
        { type: 'header', parameters: [text('A-17')] },
        { type: 'body', parameters: [text('Sara'), text('A-17')] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '0',
          parameters: [{ type: 'payload', payload: 'run:1:0' }],
        },
        { type: 'button', sub_type: 'url', index: '2', parameters: [text('A-17')] },
      ],
    },
    ...more,
  }
}

/** Returns the body of a request that sends a template. */
export function templateTo(to: string, name: string, language: string, components?: unknown[]) {
  return {
    messaging_product: 'whatsapp',
    to,
    type: 'template',
    template: { name, language: { code: language }, ...(components ? { components } : {}) },
  }
}

/** Returns a text as a parameter of a template, with a name if the template has named ones. */
export function text(value: string, name?: string) {
  return { type: 'text', text: value, ...(name ? { parameter_name: name } : {}) }
}
