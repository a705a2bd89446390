/** Messages of the simulated product, and the webhook items that report them. */
import type { MediaShelf } from '../media-shelf.ts'
import type { Attachment, Book, Person, Said } from './book.ts'
import type { MessagingSwitches, Product } from './messaging-account.ts'
import type { createWebhookSender } from './webhook-sender.ts'

/** A chat, by its account and its person. */
export type Place = { accountId: string; personId: string }

/** The state and the functions with which messages are stored and reported. */
export type TalkDeps = {
  product: Product
  book: Book
  shelf: MediaShelf
  webhooks: ReturnType<typeof createWebhookSender>
  switches: MessagingSwitches
  now(): number
  /** Saves the state. The caller calls it after every change. */
  changed(): void
  fileUrl(id: string): string
}

/** The functions that store and report messages. */
export type Talk = ReturnType<typeof createTalk>

/** Creates functions that store the messages of a conversation and post the webhooks for them. */
export function createTalk({ product, book, webhooks, switches, now, changed, fileUrl }: TalkDeps) {
  /** Returns an item between an account and a person, with the author as sender. */
  const itemOf = ({ accountId, personId }: Place, isFromAccount: boolean, what: object) => ({
    sender: { id: isFromAccount ? accountId : personId },
    recipient: { id: isFromAccount ? personId : accountId },
    timestamp: now(),
    ...what,
  })

  function requirePerson({ accountId, personId }: Place): Person {
    const person = book.person(accountId, personId)
    if (!person) throw new Error('No customer has this phone')
    return person
  }

  /** Stores a message of the customer, the account or the owner. */
  function keep(
    place: Place,
    from: Said['from'],
    content: Partial<Pick<Said, 'text' | 'attachments' | 'quickReplies' | 'note'>>,
  ): Said {
    return book.say({
      accountId: place.accountId,
      personId: place.personId,
      from,
      at: now(),
      text: null,
      attachments: [],
      quickReplies: [],
      note: '',
      ...content,
      status: 'sent',
      isRead: from === 'customer',
    })
  }

  /** Reports a message of the customer, which opens the window for the account's answers again. */
  function reportWritten(place: Place, what: object): void {
    const person = requirePerson(place)
    person.lastWroteAt = now()
    const isStandby = switches.standby || person.isInAnotherApp
    webhooks.add(place.accountId, itemOf(place, false, what), isStandby ? 'standby' : 'messaging')
    changed()
  }

  return {
    requirePerson,
    keep,
    reportWritten,
    /** Reports an action of a customer that is no message. */
    report(place: Place, what: object): void {
      webhooks.add(place.accountId, itemOf(place, false, what))
      changed()
    },
    /** Adds a message of a customer. */
    say(
      place: Place,
      content: Partial<Pick<Said, 'text' | 'attachments' | 'note'>>,
      more: object = {},
    ): Said {
      requirePerson(place)
      const said = keep(place, 'customer', content)
      const { mid, text, attachments } = said
      reportWritten(place, {
        message: {
          mid,
          ...(text === null ? {} : { text }),
          ...(attachments.length === 0 ? {} : { attachments }),
          ...more,
        },
      })
      return said
    },
    /** Reports the account's own message to apps that subscribed to echoes. */
    echo(said: Said, more: object): void {
      if (!switches.echoes) return
      const { mid, text, attachments } = said
      const message = {
        mid,
        ...(text === null ? {} : { text }),
        ...(attachments.length === 0 ? {} : { attachments: attachments.map(reportedAttachment) }),
        is_echo: true,
        ...(product === 'messenger' ? more : {}),
      }
      webhooks.add(said.accountId, itemOf(said, true, { message }))
    },
  }

  function reportedAttachment({ type, payload }: Attachment): Attachment {
    const id = payload['attachment_id']
    return { type, payload: typeof id === 'string' ? { url: fileUrl(id) } : payload }
  }
}
