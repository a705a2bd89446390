import { isByHand, type SimulatedMessage } from './book.ts'
import type { CustomerActions } from './customer-actions.ts'
import type { Ledger } from './ledger.ts'
import type { Timers } from '../timers.ts'

/** The behaviour of customers that answer automatically. */
export type AutoReply = {
  /** Delay after reading; the default is the time of a status step. */
  afterMs?: number
  /** The index of the button to tap; the default is the first one that can be tapped. */
  buttonIndex?: number
  /** The text to write if there is no button; the default is none. */
  text?: string
}

/**
 * Creates the automatic answers of simulated customers. `replyLater` lets the customer answer a read message once,
 * after a delay, unless a person answers for that phone by then.
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
