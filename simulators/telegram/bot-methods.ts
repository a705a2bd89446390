/** Methods of a bot other than sending. */
import type { ServerResponse } from 'node:http'
import type { MediaShelf } from '../media-shelf.ts'
import type { TypingShown } from '../typing-shown.ts'
import { botIdOf, type Bot, type TelegramBook } from './book.ts'
import { BotApiError, badRequest } from './bot-api-error.ts'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import type { CallParameters } from './read-call.ts'
import type { TelegramUpdates } from './updates.ts'
import { botUserOf, seconds, shelfIdOf } from './wire.ts'

/** The state and the functions that the methods use. */
export type BotMethodDeps = {
  book: TelegramBook
  updates: TelegramUpdates
  shelf: MediaShelf
  /** Taps that no bot has answered yet. */
  taps: Set<string>
  typing: TypingShown
}

/**
 * Executes a method of the Bot API and returns its result.
 * @throws BotApiError
 */
export function callMethod(
  deps: BotMethodDeps,
  bot: Bot,
  method: string,
  call: CallParameters,
  response: ServerResponse,
): unknown {
  const { book, updates } = deps
  switch (method.toLowerCase()) {
    case 'getme':
      return {
        ...botUserOf(bot),
        can_join_groups: false,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      }
    case 'getupdates':
      return getUpdates(deps, bot, call, response)
    case 'setwebhook':
      return setWebhook(deps, bot, call)
    case 'deletewebhook':
      if (call.get('drop_pending_updates') === true) updates.confirm(botIdOf(bot), Infinity)
      book.commit([{ kind: 'webhook', botId: botIdOf(bot), setting: null }])
      return true
    case 'getwebhookinfo':
      return webhookInfo(deps, bot)
    case 'getfile':
      return getFile(deps, call)
    case 'answercallbackquery':
      return answerTap(deps, call)
    case 'sendchataction':
      return showTyping(deps, bot, call)
    case 'setmycommands':
      return true
    default:
      throw new BotApiError(404, 'Not Found: method not found')
  }
}

async function getUpdates(
  { book, updates }: BotMethodDeps,
  bot: Bot,
  call: CallParameters,
  response: ServerResponse,
) {
  const botId = botIdOf(bot)
  if (book.webhookOf(botId)) {
    throw new BotApiError(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
  }
  const { longestWaitSeconds, updatesPerPoll } = TELEGRAM_SIMULATOR_LIMITS
  const asked = await updates.poll(botId, {
    offset: call.number('offset'),
    limit: Math.min(call.number('limit') ?? updatesPerPoll, updatesPerPoll),
    waitMs: Math.min(call.number('timeout') ?? 0, longestWaitSeconds) * 1_000,
    onGone: (gone) => void response.once('close', gone),
  })
  const allowed = call.get('allowed_updates')
  const isAllowed = (body: object) =>
    !Array.isArray(allowed) || allowed.length === 0 || allowed.includes(Object.keys(body)[0])
  return asked
    .filter(({ body }) => isAllowed(body))
    .map(({ updateId, body }) => ({ update_id: updateId, ...body }))
}

function setWebhook({ book }: BotMethodDeps, bot: Bot, call: CallParameters): true {
  const url = call.text('url') ?? ''
  const secret = call.text('secret_token') ?? null
  const botId = botIdOf(bot)
  if (url === '') {
    book.commit([{ kind: 'webhook', botId, setting: null }])
    return true
  }
  // Telegram posts by HTTPS only; the simulator also posts to this machine.
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol !== 'https:' && hostname !== '127.0.0.1') {
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  }
  if (secret !== null && !TELEGRAM_SIMULATOR_LIMITS.webhookSecret.test(secret)) {
    throw badRequest('secret token contains unallowed characters')
  }
  const allowed = call.get('allowed_updates')
  const setting = { url, secret, allowed: Array.isArray(allowed) ? (allowed as string[]) : null }
  book.commit([{ kind: 'webhook', botId, setting }])
  return true
}

function webhookInfo({ book, updates }: BotMethodDeps, bot: Bot) {
  const botId = botIdOf(bot)
  const setting = book.webhookOf(botId)
  const failure = updates.lastFailure(botId)
  return {
    url: setting?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: book.updatesOf(botId).length,
    ...(setting?.allowed ? { allowed_updates: setting.allowed } : {}),
    ...(failure && setting
      ? { last_error_date: seconds(failure.at), last_error_message: failure.message }
      : {}),
  }
}

function getFile({ shelf }: BotMethodDeps, call: CallParameters) {
  const fileId = call.text('file_id') ?? ''
  const id = shelfIdOf(fileId)
  const file = id === null ? undefined : shelf.find(id)
  if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable')
  if (file.bytes.length > TELEGRAM_SIMULATOR_LIMITS.fetchedBytes) {
    throw badRequest('file is too big')
  }
  const size = { file_size: file.bytes.length }
  return { file_id: fileId, file_unique_id: `u${id}`, ...size, file_path: `files/${id}` }
}

function showTyping({ book, typing }: BotMethodDeps, bot: Bot, call: CallParameters): true {
  const [chatId, action] = [call.text('chat_id') ?? '', call.text('action')]
  if (!book.people.has(chatId)) throw badRequest('chat not found')
  if (action === undefined || action === '') throw badRequest('wrong parameter action in request')
  if (action === 'typing') typing.begin(botIdOf(bot), chatId)
  return true
}

function answerTap({ taps }: BotMethodDeps, call: CallParameters): true {
  if (!taps.delete(call.text('callback_query_id') ?? '')) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid')
  }
  return true
}
