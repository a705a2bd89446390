import { isDeepStrictEqual } from 'node:util'
import type { createAutoReply } from './auto-reply.ts'
import { templateKey } from './book.ts'
import type { BusinessNumber } from './business-number.ts'
import { asMoved } from './identity-actions.ts'
import type { Ledger } from './ledger.ts'
import type { StatusProgress } from './status-progress.ts'
import type { TemplateReview } from './template-review.ts'
import type { WebhookQueue } from './webhook-queue.ts'

type Numbering = {
  ledger: Ledger
  numbers: Map<string, BusinessNumber>
  progress: StatusProgress
  review: TemplateReview
  replies: ReturnType<typeof createAutoReply>
  queue: WebhookQueue
}

/** Returns the functions that add a number of the business, and that change the status of a template. */
export function createNumbers({ ledger, numbers, progress, review, replies, queue }: Numbering) {
  const { book } = ledger

  /** Adds a number with its templates, and continues what an earlier process left unfinished. */
  function addNumber(given: BusinessNumber): void {
    const number = asMoved(book, given)
    const { businessAccountId, phoneNumberId } = number
    const isFirst = ![...numbers.values()].some((n) => n.businessAccountId === businessAccountId)
    numbers.set(phoneNumberId, number)
    const changed = number.templates.filter((template) => {
      const kept = book.templates.get(templateKey(businessAccountId, template))?.template
      // Only the status comes from Meta and may have changed, so it is not compared.
      return !isDeepStrictEqual({ ...kept, status: '' }, { ...template, status: '' })
    })
    if (changed.length > 0) {
      ledger.commit(changed.map((template) => ({ kind: 'template', businessAccountId, template })))
    }
    // An earlier process may have left reviews unfinished.
    for (const kept of isFirst ? [...book.templates.values()] : []) {
      if (kept.businessAccountId === businessAccountId && kept.template.status === 'PENDING') {
        review.approveLater(number, kept.template)
      }
    }
    for (const message of book.messages.values()) {
      if (message.phoneNumberId === phoneNumberId && message.direction === 'to_customer') {
        progress.advance(message.wamid)
        if (message.status === 'read') {
          replies.replyLater(message)
        }
      }
    }
    queue.wake(phoneNumberId)
  }

  return {
    addNumber,
    /** Changes the status of a template. @throws Error if it does not exist */
    changeTemplate({ businessAccountId, status, ...wanted }: ChangedTemplate): void {
      const kept = book.templates.get(templateKey(businessAccountId, wanted))
      const number = [...numbers.values()].find((n) => n.businessAccountId === businessAccountId)
      if (kept === undefined || number === undefined) {
        throw new Error(`No template ${wanted.name} in ${wanted.language}`)
      }
      review.setStatus(number, kept.template, status)
    },
  }
}

/** A template with its account, and the status that it gets. */
export type ChangedTemplate = {
  businessAccountId: string
  name: string
  language: string
  status: string
}
