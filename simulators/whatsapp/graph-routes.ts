import type { IncomingMessage, ServerResponse } from 'node:http'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { BusinessNumber, Numbers } from './business-number.ts'
import {
  GraphError,
  invalidParameter,
  invalidToken,
  refusal,
  refuseWrongProof,
  unknownObject,
  unknownPath,
} from '../graph-error.ts'
import { readFields } from '../json-fields.ts'
import type { Fields } from '../json-fields.ts'
import { createGraphActions, type Answer, type GraphActionsOptions } from './graph-actions.ts'
import type { SimulatorLog } from '../provider.ts'
import type { ShelvedFile } from '../media-shelf.ts'
import { pageTemplates, pickFields } from './message-templates.ts'
import { readJsonBytes, readRequest } from '../read-request.ts'

type GraphOptions = GraphActionsOptions & {
  numbers: Numbers
  log: SimulatorLog
  /** Business accounts that have unsubscribed their app. Each begins with a subscription. */
  unsubscribed: Set<string>
  /** The simulator's origin, for URLs of files. */
  origin: string
}

type Call = { method: string; url: URL; bytes: Buffer; contentType: string }

/**
 * Answers the Graph API below `/simulator/graph/{version}/…` in the forms of Meta, errors included.
 * A send is in the journal before it is answered.
 */
export function createGraph(options: GraphOptions) {
  const { ledger, numbers, log, media, unsubscribed, origin } = options
  const graphActions = createGraphActions(options)

  /** Returns the numbers of a token. @throws GraphError for an unknown token */
  function requireKnown(token: string): BusinessNumber[] {
    const own = [...numbers.values()].filter((number) => number.accessToken === token)
    if (own.length === 0) throw invalidToken()
    return own
  }

  async function answerCall(
    { method, url, bytes, contentType }: Call,
    token: string,
  ): Promise<Answer> {
    const parts = url.pathname.split('/').filter((part) => part !== '')
    const [version = '', id = '', edge = '', ...rest] = parts.slice(2)
    if (!/^v\d+\.\d+$/.test(version) || id === '' || rest.length > 0) {
      throw unknownPath(url.pathname.replace('/simulator/graph', ''))
    }
    const own = requireKnown(token)
    const number = own.find(({ phoneNumberId }) => phoneNumberId === id)
    const account = own.find(({ businessAccountId }) => businessAccountId === id)
    refuseWrongProof(url.searchParams, number ?? own[0]!)
    const of = number ? 'number' : account ? 'account' : 'media'
    const body = () => readFields(readJsonBytes(bytes))
    switch (`${method} ${of} ${edge}`) {
      case 'GET number ':
        return { body: pickFields(describe(number!), url.searchParams.get('fields')) }
      case 'POST number messages':
        return graphActions.postMessage(number!, body())
      case 'POST number media':
        return { body: await media.upload(bytes, contentType) }
      case 'GET account message_templates':
        return { body: pageTemplates(ledger.book, id, url) }
      case 'POST account message_templates':
        return graphActions.createTemplate(account!, body())
      case 'GET account subscribed_apps':
        return { body: { data: unsubscribed.has(id) ? [] : [SUBSCRIBED_APP] } }
      case 'POST account subscribed_apps':
        unsubscribed.delete(id)
        return { body: { success: true } }
      case 'DELETE account subscribed_apps':
        unsubscribed.add(id)
        return { body: { success: true } }
      case 'GET media ':
        if (isOfOneOf(own, url)) return { body: media.locate(id, origin) }
    }
    throw unknownObject(id, method)
  }

  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const method = request.method ?? 'GET'
    try {
      const isUpload = url.pathname.endsWith('/media')
      const maxBytes = isUpload ? SIMULATOR_LIMITS.uploadBytes : SIMULATOR_LIMITS.requestBytes
      const bytes = await readRequest(request, maxBytes)
      if (bytes === null) {
        // The rest of the body is still arriving, so this connection cannot be reused.
        response.setHeader('connection', 'close')
        throw invalidParameter('The request is too large.', 413)
      }
      const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const file = FILE_PATH.exec(url.pathname)?.[1]
      if (file !== undefined && method === 'GET') {
        requireKnown(token)
        writeFile(response, media.download(file, url.searchParams.get('until')))
        return
      }
      const contentType = request.headers['content-type'] ?? ''
      const answer = await answerCall({ method, url, bytes, contentType }, token)
      if (answer.isUnanswered) {
        request.socket.destroy()
        return
      }
      writeGraph(response, 200, answer.body)
    } catch (error) {
      if (request.destroyed && !request.complete) {
        return
      }
      if (!(error instanceof GraphError)) {
        log(`Simulator: a request could not be answered: ${String(error)}`)
      }
      const { httpStatus, body } = error instanceof GraphError ? error : refusal(131000)
      writeGraph(response, httpStatus, body)
    }
  }
}

/** The app that receives the simulator's webhooks, in Meta's form. */
const SUBSCRIBED_APP = {
  whatsapp_business_api_data: {
    id: '1234567890123456',
    name: 'Simulated app',
    link: 'https://www.facebook.com/games/?app_id=1234567890123456',
  },
}

/** Returns true if the request names one of these numbers, or none. */
function isOfOneOf(own: readonly BusinessNumber[], url: URL): boolean {
  const asked = url.searchParams.get('phone_number_id')
  return asked === null || own.some(({ phoneNumberId }) => phoneNumberId === asked)
}

const FILE_PATH = /^\/simulator\/graph\/files\/(\d+)$/

function writeFile(response: ServerResponse, { bytes, mimeType }: ShelvedFile): void {
  response.writeHead(200, { 'content-type': mimeType, 'content-length': bytes.length })
  response.end(bytes)
}

function writeGraph(response: ServerResponse, status: number, body: Fields): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    'facebook-api-version': 'v23.0',
    'x-simulator': '1',
  })
  response.end(text)
}

function describe(number: BusinessNumber): Fields {
  const { displayPhoneNumber, verifiedName, phoneNumberId } = number
  const parsed = parsePhoneNumberFromString(`+${displayPhoneNumber}`)
  return {
    verified_name: verifiedName,
    code_verification_status: 'VERIFIED',
    display_phone_number: parsed?.formatInternational() ?? `+${displayPhoneNumber}`,
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    id: phoneNumberId,
  }
}
