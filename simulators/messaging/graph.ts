/** The Graph API of the simulated product: sends, uploads, profiles and files. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  GraphError,
  invalidParameter,
  invalidToken,
  refuseWrongProof,
  unknownObject,
} from '../graph-error.ts'
import { readFields, readText } from '../json-fields.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { MediaShelf } from '../media-shelf.ts'
import { readJsonBytes, readRequest } from '../read-request.ts'
import type { Book } from './book.ts'
import type { MessagingAccount, Product } from './messaging-account.ts'

/** The accounts, the state and the functions that the Graph API uses. */
export type GraphOptions = {
  product: Product
  accounts: ReadonlyMap<string, MessagingAccount>
  book: Book
  shelf: MediaShelf
  /**
   * Accepts a message. Returns null for an accepted message whose answer is lost.
   * @throws GraphError for a message that Meta would refuse.
   */
  send(
    account: MessagingAccount,
    personId: string,
    body: unknown,
  ): { mid: string; isAnswered: boolean } | null
  /**
   * Accepts or refuses `typing_on`.
   * @throws GraphError
   */
  showTyping(account: MessagingAccount, personId: string): void
}

/** Creates the request handler that plays Meta's Graph API for Messenger or Instagram. */
export function createMessagingGraph({
  product,
  accounts,
  book,
  shelf,
  send,
  showTyping,
}: GraphOptions) {
  return async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: { path: string; query: URLSearchParams },
  ): Promise<void> {
    try {
      const file = /^\/files\/(\w+)$/.exec(path)?.[1]
      if (file !== undefined) return writeFile(response, file)
      const answered = await answerCall(request, path, query)
      if (answered === null) response.destroy()
      else writeJson(response, 200, answered)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      writeJson(response, error.httpStatus, error.body)
    }
  }

  async function answerCall(request: IncomingMessage, path: string, query: URLSearchParams) {
    const [, id = '', verb] = /^\/v\d+\.\d+\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
    const bytes = await readRequest(request, SIMULATOR_LIMITS.uploadBytes)
    if (bytes === null) throw invalidParameter('The request is too large.')
    const account = accountOf(request, query)
    const method = request.method ?? ''
    const isAccount = id === 'me' || id === account.id
    if (method === 'POST' && isAccount && verb === 'messages') return take(account, bytes)
    if (method === 'POST' && isAccount && verb === 'message_attachments') {
      return upload(bytes, request.headers['content-type'] ?? '')
    }
    if (method === 'GET' && isAccount && verb === undefined) return accountProfile(product, account)
    const person = book.person(account.id, id)
    if (method === 'GET' && person && verb === undefined) return personProfile(product, person)
    throw unknownObject(id, method)
  }

  /** Returns the account of the token in the header or the query. */
  function accountOf({ headers }: IncomingMessage, query: URLSearchParams): MessagingAccount {
    const token =
      /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? query.get('access_token')
    const account = [...accounts.values()].find(({ accessToken }) => accessToken === token)
    if (!account) throw invalidToken()
    refuseWrongProof(query, account)
    return account
  }

  function take(account: MessagingAccount, bytes: Buffer) {
    const body = readFields(readJsonBytes(bytes))
    const personId = readText(readFields(body.recipient).id)
    if (personId === null) throw invalidParameter('The parameter recipient is required')
    const action = readText(body.sender_action)
    if (action !== null) {
      if (action !== 'typing_on') throw invalidParameter('Param sender_action is not played')
      if (body.message !== undefined) throw invalidParameter('sender_action stands alone')
      showTyping(account, personId)
      return { recipient_id: personId }
    }
    if (product === 'messenger' && readText(body.messaging_type) === null) {
      throw invalidParameter('The parameter messaging_type is required')
    }
    const sent = send(account, personId, body)
    return sent?.isAnswered ? { recipient_id: personId, message_id: sent.mid } : null
  }

  async function upload(bytes: Buffer, contentType: string) {
    const headers = { 'content-type': contentType }
    const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => null)
    const [message, file] = [form?.get('message'), form?.get('filedata')]
    const { attachment } = readFields(
      typeof message === 'string' ? readJsonBytes(Buffer.from(message)) : undefined,
    )
    if (readText(readFields(attachment).type) === null || !(file instanceof Blob)) {
      throw invalidParameter('(#100) Upload attachment failure.')
    }
    const { id } = shelf.put(Buffer.from(await file.arrayBuffer()), file.type)
    return { attachment_id: id }
  }

  function writeFile(response: ServerResponse, id: string): void {
    const found = shelf.find(id)
    if (!found) throw unknownObject(id, 'GET')
    response.writeHead(200, { 'content-type': found.mimeType, 'x-simulator': '1' })
    response.end(found.bytes)
  }
}

function writeJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-simulator': '1' })
  response.end(JSON.stringify(json))
}

function accountProfile(product: Product, { id, name }: MessagingAccount) {
  if (product === 'messenger') return { id, name }
  return { id, user_id: id, name, username: name.toLowerCase().replaceAll(/\W+/g, '_') }
}

function personProfile(product: Product, { id, name }: { id: string; name: string }) {
  const [first = '', ...last] = name.split(' ')
  return product === 'messenger'
    ? { first_name: first, last_name: last.join(' '), id }
    : { name, username: name.toLowerCase().replaceAll(/\s+/g, '.'), id }
}
