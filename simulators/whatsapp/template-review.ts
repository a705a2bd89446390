import type { Clock } from '../time.ts'
import { templateKey } from './book.ts'
import type { BusinessNumber } from './business-number.ts'
import type { Ledger } from './ledger.ts'
import type { GraphTemplate } from './graph-template.ts'
import type { Timers } from '../timers.ts'
import { templateWebhook } from './webhook-values.ts'

/** The functions that change the status of a template. */
export type TemplateReview = {
  /** Sets the status of a template as Meta would, and reports it by a webhook. */
  setStatus: (number: BusinessNumber, template: GraphTemplate, status: string) => void
  /** Approves a pending template after a delay. */
  approveLater: (number: BusinessNumber, template: GraphTemplate) => void
}

/** Simulates Meta's review of templates. */
export function createTemplateReview(options: {
  ledger: Ledger
  clock: Clock
  timers: Timers
  approvalMs: number
}): TemplateReview {
  const { ledger, clock, timers, approvalMs } = options

  function setStatus(number: BusinessNumber, template: GraphTemplate, status: string): void {
    const changed = { ...template, status }
    const { businessAccountId } = number
    ledger.commit([
      { kind: 'template', businessAccountId, template: changed },
      { kind: 'webhook', webhook: templateWebhook(number, changed, clock.now().getTime()) },
    ])
  }

  return {
    setStatus,
    approveLater(number, template) {
      timers.after(approvalMs, () => {
        const key = templateKey(number.businessAccountId, template)
        const kept = ledger.book.templates.get(key)
        if (kept?.template.status === 'PENDING') {
          setStatus(number, kept.template, 'APPROVED')
        }
      })
    },
  }
}
