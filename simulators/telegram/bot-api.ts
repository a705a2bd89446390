/** The Bot API below `/simulator/telegram`: `bot<token>/<method>` and `file/bot<token>/<path>`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../time.ts'
import { botIdOf, type Bot } from './book.ts'
import { BotApiError, tooManyRequests } from './bot-api-error.ts'
import { callMethod, type BotMethodDeps } from './bot-methods.ts'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import { readCall, type CallParameters } from './read-call.ts'
import { sendMethod } from './send-methods.ts'

/** Faults of the next calls of methods; the first one applies to the next call. */
export type PlannedFault =
  /** The call is refused. */
  | { refuse: { code: number; description: string; retryAfter?: number } }
  /** The call is executed, and its answer is lost. */
  | 'lose_answer'
  /** The call is neither executed nor answered. */
  | 'hang'
  /** The call gets the error of a proxy. */
  | 'bad_gateway'

/** The bots, the planned faults and the state that the Bot API uses. */
export type BotApiOptions = BotMethodDeps & {
  bots: ReadonlyMap<string, Bot>
  clock: Clock
  /** Pending faults by bot and method, in order. */
  plannedFaults: Map<string, PlannedFault[]>
}

/** Returns the key under which planned faults of a bot's method are stored. */
export const plannedFaultKey = (botId: string, method: string) => `${botId} ${method.toLowerCase()}`

const METHOD_PATH = /^\/bot([^/]+)\/([A-Za-z]+)$/
const FILE_PATH = /^\/file\/bot([^/]+)\/files\/(\d+)$/

/** Creates the request handler that plays Telegram's Bot API. */
export function createBotApi(options: BotApiOptions) {
  const { book, bots, shelf, clock, plannedFaults } = options
  /** Times of each bot's last sends, by the machine's clock. */
  const sentAt = new Map<string, number[]>()

  /**
   * Returns the answer of a method; null if the call is never answered.
   * @throws BotApiError
   */
  async function answerMethod(
    request: IncomingMessage,
    response: ServerResponse,
    { token, method }: { token: string; method: string },
  ): Promise<{ result: unknown } | null> {
    const bot = botOf(bots, token)
    const call = await readCall(request, new URL(request.url ?? '/', 'http://localhost'))
    const way = plannedFaults.get(plannedFaultKey(botIdOf(bot), method))?.shift()
    if (way === 'hang') return null
    if (way === 'bad_gateway') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
      return null
    }
    if (typeof way === 'object') {
      const { code, description, retryAfter } = way.refuse
      const parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter }
      throw new BotApiError(code, description, parameters)
    }
    const result = await doMethod(bot, method, call, response)
    if (way !== 'lose_answer') return { result }
    response.destroy()
    return null
  }

  function doMethod(
    bot: Bot,
    method: string,
    call: CallParameters,
    response: ServerResponse,
  ): unknown {
    const send = sendMethod({ book, shelf, clock }, method)
    if (!send) return callMethod(options, bot, method, call, response)
    countSend(bot)
    return send(bot, call)
  }

  /** Counts a message against the bot's rate limit. @throws BotApiError above the limit */
  function countSend(bot: Bot): void {
    const now = performance.now()
    const recent = (sentAt.get(bot.token) ?? []).filter((at) => now - at < 1_000)
    if (recent.length >= TELEGRAM_SIMULATOR_LIMITS.sendsPerSecond) throw tooManyRequests(1)
    sentAt.set(bot.token, [...recent, now])
  }

  return {
    async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
      const [, token = '', method = ''] = METHOD_PATH.exec(path) ?? []
      const [, fileToken = '', shelfId = ''] = FILE_PATH.exec(path) ?? []
      try {
        if (shelfId !== '') {
          botOf(bots, fileToken)
          const file = shelf.find(shelfId)
          if (!file) throw new BotApiError(404, 'Not Found')
          response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.bytes)
          return
        }
        const answered = await answerMethod(request, response, { token, method })
        if (answered) write(response, 200, { ok: true, result: answered.result })
      } catch (error) {
        if (!(error instanceof BotApiError)) throw error
        const { code, message, parameters } = error
        const body = { ok: false, error_code: code, description: message }
        write(response, code, parameters ? { ...body, parameters } : body)
      }
    },
  }
}

/** Returns the bot of a token. @throws BotApiError for an invalid or revoked token */
function botOf(bots: ReadonlyMap<string, Bot>, escaped: string): Bot {
  const token = escaped.replaceAll('%3A', ':')
  if (!/^\d+:[\w-]+$/.test(token)) throw new BotApiError(404, 'Not Found')
  const bot = bots.get(token)
  if (!bot) throw new BotApiError(401, 'Unauthorized')
  return bot
}

function write(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-simulator': '1' })
  response.end(JSON.stringify(body))
}
