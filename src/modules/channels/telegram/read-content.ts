import { wordSet } from '../../../core/vocabulary/word-set.ts'
import type { MediaRef } from '../inbound.ts'
import {
  withoutUndefined,
  readFields,
  readId,
  readList,
  readText,
  type Fields,
} from '../provider/read-values.ts'
import { readVCard, textsOf, withDetails, formatDetails } from '../provider/read-details.ts'
import { describeLocation } from '../provider/describe-location.ts'
import type { MessageType } from '../../../core/vocabulary/channels.ts'

/** The content of a message in this service's form. */
export type Content = {
  type: MessageType
  text: string | null
  media: MediaRef | undefined
  place?: string
  details?: string
}

/** Kinds in their order of precedence: an animation also has a document, a venue a location. */
const KINDS: readonly (readonly [string, MessageType])[] = [
  ['animation', 'video'],
  ['photo', 'image'],
  ['video', 'video'],
  ['video_note', 'video'],
  ['voice', 'audio'],
  ['audio', 'audio'],
  ['sticker', 'sticker'],
  ['document', 'document'],
  ['venue', 'location'],
  ['location', 'location'],
  ['contact', 'contact'],
]

/** Fields of a message whose content is read. Spec: Provider forms › Telegram. @internal */
export const TELEGRAM_CONTENT: readonly string[] = KINDS.map(([name]) => name)

/** Fields that are metadata of a message. */
const METADATA =
  wordSet(`message_id message_thread_id direct_messages_topic from sender_chat sender_boost_count
  sender_business_bot date business_connection_id chat forward_origin forward_from
  forward_from_chat forward_from_message_id forward_signature forward_sender_name forward_date
  is_topic_message is_automatic_forward reply_to_message external_reply quote reply_to_story
  reply_to_checklist_task_id via_bot edit_date has_protected_content is_from_offline
  is_paid_post media_group_id author_signature paid_star_count link_preview_options
  suggested_post_info effect_id entities caption_entities show_caption_above_media
  has_media_spoiler reply_markup`)

/** Fields of service messages, which raise no event. */
const SERVICE =
  wordSet(`new_chat_members new_chat_member new_chat_participant left_chat_member left_chat_participant
  new_chat_title new_chat_photo delete_chat_photo group_chat_created supergroup_chat_created
  channel_chat_created message_auto_delete_timer_changed migrate_to_chat_id
  migrate_from_chat_id pinned_message invoice successful_payment refunded_payment users_shared
  chat_shared gift unique_gift connected_website write_access_allowed passport_data
  proximity_alert_triggered boost_added chat_background_set checklist_tasks_done
  checklist_tasks_added direct_message_price_changed forum_topic_created forum_topic_edited
  forum_topic_closed forum_topic_reopened general_forum_topic_hidden
  general_forum_topic_unhidden giveaway_created giveaway giveaway_winners giveaway_completed
  paid_message_price_changed suggested_post_approved suggested_post_approval_failed
  suggested_post_declined suggested_post_paid suggested_post_refunded video_chat_scheduled
  video_chat_started video_chat_ended video_chat_participants_invited voice_chat_started
  voice_chat_ended web_app_data`)

/**
 * Returns the content of a message; null for a service message. Unknown kinds, such as polls, games and future ones,
 * become an unreadable message.
 */
export function readContent(message: Fields): Content | null {
  const written = readText(message.text)
  if (written !== undefined) return { type: 'text', text: written, media: undefined }
  const text = readText(message.caption) ?? null
  const kind = KINDS.find(([name]) => message[name] !== undefined)
  if (kind?.[1] === 'location') return readLocation(readFields(message[kind[0]]), text)
  if (kind?.[1] === 'contact') return readCard(readFields(message.contact), text)
  if (kind) return { type: kind[1], text, media: readMedia(message[kind[0]]) }
  const named = Object.keys(message).filter((name) => !METADATA.has(name))
  const isService = named.length === 0 || named.some((name) => SERVICE.has(name))
  if (isService) return null
  const { question, options } = readFields(message.poll)
  const lines = [readText(question), ...textsOf(options, 'text')].map((line) => [line])
  return withDetails<Content>({ type: 'unknown', text, media: undefined }, formatDetails(lines))
}

function readCard({ first_name, last_name, phone_number, vcard }: Fields, text: string | null) {
  const names = [readText(first_name), readText(last_name)]
  const name = names.filter((part) => part !== undefined).join(' ')
  const pieces = [readText(phone_number), ...readVCard(undefined, vcard)]
  const card = [name === '' ? undefined : name, ...new Set(pieces)]
  return withDetails<Content>({ type: 'contact', text, media: undefined }, formatDetails([card]))
}

/** Reads a location, or a venue, which is a location with a name. */
function readLocation(body: Fields, text: string | null): Content {
  const location = body.location === undefined ? body : readFields(body.location)
  const { title: name, address } = body
  const place = describeLocation({
    name,
    address,
    latitude: location.latitude,
    longitude: location.longitude,
  })
  return { type: 'location', text, media: undefined, ...(place !== null && { place }) }
}

/** Returns the largest size of a picture. */
function readMedia(value: unknown): MediaRef | undefined {
  const areaOf = ({ width, height }: Fields) => Number(width) * Number(height) || 0
  const sizes = readList(value).map(readFields)
  const file = Array.isArray(value)
    ? sizes.reduce((best, size) => (areaOf(size) >= areaOf(best) ? size : best), {})
    : readFields(value)
  const providerMediaId = readId(file.file_id)
  if (providerMediaId === undefined) return undefined
  return withoutUndefined<MediaRef>({
    providerMediaId,
    mimeType: readText(file.mime_type),
    fileName: readText(file.file_name),
  })
}
