/** The requests about a number. */
import { createNumber } from './number.mjs'
import { readBytes, readJson, Refusal } from './read-request.mjs'

const STATE_BYTES = 64 * 1_048_576
const UPLOAD_BYTES = 101 * 1_048_576
const MESSAGE_BYTES = 262_144
const ASKED_BYTES = 65_536
const MAX_WAIT_MS = 60_000
const UNLINKED = new Set(['pairing', 'expired', 'logged_out'])

/**
 * Creates the handlers of the bridge's requests, by their names. Each reads its request and resolves to the response;
 * `left` is aborted when the client disconnects.
 */
export function createVerbs({ numbers, uploads, deps, signal, isStopping }) {
  function sessionOf(id, session) {
    const number = numbers.get(id)
    if (!number || number.session !== session) {
      throw new Refusal(409, 'no_session', 'Open the number first, with what is kept of it')
    }
    return number
  }

  /** @param from the number that is required; any is accepted if it is missing */
  function linkedOf(id, from) {
    const number = numbers.get(id)
    const { status, number: own } = number?.link() ?? {}
    if (!number || UNLINKED.has(status)) {
      throw new Refusal(409, 'not_linked', 'The number is not linked')
    }
    if (typeof from === 'string' && own !== undefined && own !== from) {
      throw new Refusal(409, 'not_linked', 'The link is of another number')
    }
    if (status === 'banned') throw new Refusal(403, 'banned', 'WhatsApp has closed the number')
    if (status !== 'linked') throw notConnected()
    return number
  }

  return {
    async open(request, id) {
      const { state = {} } = await readJson(request, STATE_BYTES)
      let before
      do {
        if (isStopping()) throw notConnected()
        before = numbers.get(id)
        await before?.end()
        // When two requests open the number concurrently, the later one ends the number that the other has just opened.
      } while (numbers.get(id) !== before)
      const isKnown = state.creds !== undefined && before?.link().status !== 'logged_out'
      const number = createNumber(state, deps, isKnown ? before?.unacknowledgedEvents() : [])
      numbers.set(id, number)
      return { session: number.session }
    },
    async events(request, id, left) {
      const { session, after = 0, waitMs = 0 } = await readJson(request, ASKED_BYTES)
      const number = sessionOf(id, session)
      const either = AbortSignal.any([signal, left])
      const round = await number.round(Number(after) || 0, Math.min(waitMs, MAX_WAIT_MS), either)
      // If another request has opened the number meanwhile, that one gets the whole log.
      sessionOf(id, session)
      return round
    },
    async messages(request, id) {
      const { id: messageId, from, to, text, media } = await readJson(request, MESSAGE_BYTES)
      try {
        const address = to?.number ? `${to.number}@s.whatsapp.net` : to?.lid
        const bytes = media && uploads.find(media.upload)
        const isWhole = typeof messageId === 'string' && typeof address === 'string'
        if (!isWhole || (typeof text !== 'string' && !bytes)) {
          throw new Refusal(400, 'bad_request', 'id, to and text or media are needed')
        }
        await linkedOf(id, from).send(messageId, address, bytes ? { ...media, bytes } : { text })
        return { id: messageId }
      } catch (error) {
        // Only a closed connection has certainly sent nothing.
        throw error?.output?.statusCode === 428 ? notConnected() : error
      } finally {
        // A retry uploads the file again.
        if (media) uploads.forget(media.upload)
      }
    },
    async uploads(request, id) {
      linkedOf(id)
      const length = Number(request.headers['content-length'] ?? UPLOAD_BYTES)
      if (length > UPLOAD_BYTES) throw new Refusal(413, 'too_large', 'This file is too large')
      const upload = uploads.reserve(length)
      if (upload === null) throw new Refusal(503, 'not_connected', 'Too many files wait to be sent')
      try {
        uploads.put(upload, await readBytes(request, UPLOAD_BYTES))
      } catch (error) {
        uploads.forget(upload)
        throw error
      }
      return { upload }
    },
    async media(request, id) {
      const { mostBytes, ...media } = await readJson(request, ASKED_BYTES)
      const found = await linkedOf(id).download(media, mostBytes)
      if (found === 'gone') throw new Refusal(410, 'gone', 'WhatsApp has it no more')
      if (found === 'too_large') throw new Refusal(413, 'too_large', 'This file is too large')
      return found
    },
    async logout(request, id) {
      await readJson(request, ASKED_BYTES)
      if (!(await numbers.get(id)?.logout())) throw notConnected()
      return {}
    },
  }
}

const notConnected = () =>
  new Refusal(503, 'not_connected', 'WhatsApp is not reached for the moment')
