/** Actions of simulated customers and the owner. */
import type { SampleFile } from '../media-shelf.ts'
import type { Person, Said } from './book.ts'
import type { Place, Talk, TalkDeps } from './talk.ts'

/** A sample of each kind, by its name in the protocol. `sticker_old` is a sticker in the form before June 2026. */
const SAMPLES: Record<string, { sample: SampleFile; type: string }> = {
  image: { sample: 'image', type: 'image' },
  video: { sample: 'video', type: 'video' },
  audio: { sample: 'voice', type: 'audio' },
  file: { sample: 'document', type: 'file' },
  sticker: { sample: 'sticker', type: 'sticker' },
  sticker_old: { sample: 'sticker', type: 'image' },
}

const STICKER_ID = 369_239_263_222_822

/** The actions of simulated customers and of the owner. */
export type Customers = ReturnType<typeof createMessageActions> &
  ReturnType<typeof createOtherActions>

/** Creates the actions of simulated customers: writing, reading, reacting and so on. */
export function createCustomers(talk: Talk, deps: TalkDeps): Customers {
  return { ...createMessageActions(talk, deps), ...createOtherActions(talk, deps) }
}

/** Creates the actions with which customers write, send files and tap buttons. */
function createMessageActions(talk: Talk, { book, shelf, fileUrl }: TalkDeps) {
  return {
    sendText: (place: Place, text: string): Said => talk.say(place, { text }),
    sendFile(place: Place, kind: string): Said {
      const found = SAMPLES[kind]
      if (!found) throw new Error(`There is no sample of ${kind}`)
      const { sample, type } = found
      const url = fileUrl(shelf.sample(sample).id)
      const payload = { url, ...(sample === 'sticker' ? { sticker_id: STICKER_ID } : {}) }
      return talk.say(place, { attachments: [{ type, payload }], note: kind })
    },
    /** Taps a quick reply below the last message, which sends its text and its payload. */
    tap(place: Place, mid: string, index: number): Said {
      const reply = book.find(mid)?.quickReplies[index]
      if (!reply) throw new Error('There is nothing to tap')
      const { title: text, payload } = reply
      return talk.say(place, { text }, { quick_reply: { payload } })
    },
    /** Taps a button of a menu, or "Get started"; some webhooks of it have no id. */
    postback(place: Place, { title, payload }: { title: string; payload: string }, hasId = true) {
      const { mid } = talk.keep(place, 'customer', { text: title, note: 'tapped' })
      talk.reportWritten(place, { postback: { title, payload, ...(hasId ? { mid } : {}) } })
    },
    /** Answers a story, which only Instagram has. */
    answerStory(place: Place, text: string): Said {
      const story = { id: '17900000000000001', url: fileUrl(shelf.sample('image').id) }
      return talk.say(place, { text, note: 'to a story' }, { reply_to: { story } })
    },
    /** Sends a mention in a story, a shared post, or a heart, none of which can be displayed. */
    sendUnreadable(place: Place, type: string): Said {
      const url = fileUrl(shelf.sample('image').id)
      const shared = { ig_post_media_id: '18139494541428835', title: 'A post', url }
      const payload = type === 'ig_post' ? shared : { url }
      return talk.say(place, { attachments: [{ type, payload }], note: type })
    },
    sendUnsupported: (place: Place): Said =>
      talk.say(place, { note: 'cannot be shown' }, { is_unsupported: true }),
  }
}

/** Creates the actions in which the customer writes no message. */
function createOtherActions(talk: Talk, { product, book, switches, now, changed }: TalkDeps) {
  const lastOf = (place: Place, from: Said['from'] | null) => {
    const thread = book.thread(place.accountId, place.personId)
    const last = thread.findLast((said) => from === null || said.from === from)
    if (!last) throw new Error('Nothing was said yet')
    return last
  }

  return {
    addPerson(accountId: string, name: string): Person {
      const person = book.addPerson(accountId, name)
      changed()
      return person
    },
    /** Deletes the customer's last message. */
    unsend(place: Place): void {
      const last = lastOf(place, 'customer')
      last.note = 'taken back'
      talk.report(place, { message: { mid: last.mid, is_deleted: true } })
    },
    react(place: Place): void {
      const { mid } = lastOf(place, null)
      const named = product === 'messenger' ? { reaction: 'love' } : {}
      talk.report(place, { reaction: { mid, action: 'react', emoji: '❤', ...named } })
    },
    /** The owner answers in the product's own app. */
    ownerReplies(place: Place, text: string): Said {
      talk.requirePerson(place)
      const said = talk.keep(place, 'owner', { text, note: 'from the app' })
      talk.echo(said, {})
      changed()
      return said
    },
    /** Marks a message as delivered. Only Messenger reports it. */
    deliver(said: Said): void {
      said.status = 'delivered'
      if (product !== 'messenger') return
      const mids = switches.deliveryWithoutIds ? {} : { mids: [said.mid] }
      talk.report(said, { delivery: { ...mids, watermark: now() } })
    },
    /** Opens the chat as the customer. */
    read(place: Place): void {
      const unread = book
        .thread(place.accountId, place.personId)
        .filter(({ from, isRead }) => from !== 'customer' && !isRead)
      const last = unread.at(-1)
      if (!last) return
      for (const one of unread) Object.assign(one, { isRead: true, status: 'read' })
      talk.report(place, {
        read: product === 'messenger' ? { watermark: now() } : { mid: last.mid },
      })
    },
    setBlocked(place: Place, hasBlocked: boolean): void {
      talk.requirePerson(place).hasBlocked = hasBlocked
      changed()
    },
    setInAnotherApp(place: Place, isInAnotherApp: boolean): void {
      talk.requirePerson(place).isInAnotherApp = isInAnotherApp
      changed()
    },
  }
}
