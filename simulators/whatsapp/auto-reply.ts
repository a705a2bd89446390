import { isByHand, type SimulatedMessage } from './book.ts'
import type { CustomerActions } from './customer-actions.ts'
import type { Ledger } from './ledger.ts'
import type { Timers } from '../timers.ts'

/** How customers answer by themselves. */
export type AutoReply = {
  /** After they read; as long as a step takes unless told. */
  afterMs?: number
  /** Which button they tap; the first one that can be tapped unless told. */
  buttonIndex?: number
  /** What they write when there is no button; nothing unless told. */
  text?: string
}

/**
 * `replyLater` lets the customer answer a message that was read, once and after a while; not when a
 * person answers for that phone by then.
 */
export function createAutoReply(options: {
  ledger: Ledger
  actions: CustomerActions
  timers: Timers
  autoReply: AutoReply | null
  stepMs: number
}): { replyLater: (message: SimulatedMessage) => void } {
  const { ledger, actions, timers, autoReply, stepMs } = options

  function reply({ text, buttonIndex }: AutoReply, message: SimulatedMessage): void {
    const { wamid, customer: from, phoneNumberId, content } = message
    if (content.buttons.some(({ type }) => type === 'QUICK_REPLY' || type === 'REPLY')) {
      const tapped = buttonIndex === undefined ? {} : { buttonIndex }
      actions.tapButton({ messageId: wamid, ...tapped })
      return
    }
    ledger.commit([{ kind: 'answered', wamid }])
    if (text !== undefined) {
      actions.sendText({ from, phoneNumberId, text })
    }
  }

  return {
    replyLater({ wamid, awaitsReply }) {
      if (autoReply === null || !awaitsReply) {
        return
      }
      timers.after(autoReply.afterMs ?? stepMs, () => {
        const message = ledger.book.messages.get(wamid)
        if (message?.awaitsReply && !isByHand(ledger.book, message.customer)) {
          reply(autoReply, message)
        }
      })
    },
  }
}
