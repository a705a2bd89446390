import type { Plan } from '../../core/vocabulary/accounts.ts'

/** A used number with its limit. `resetsAt` is the UTC time at which counting starts again from 0. */
export type Allowance = { used: number; limit: number; resetsAt: string }

/** A number of existing items with its limit. */
export type Count = { used: number; limit: number }

/** The usage of a company and its account. */
export type UsageView = {
  at: string
  plan: Plan
  /** Templates of the account and its projects together, in this UTC day. */
  automatedTemplates: Allowance & {
    /** Companies that sent any today. */
    byCompany: { companyId: string; name: string | null; used: number }[]
  }
  /** The same of calls: of flows, of the assistant and of tests, each attempt counted. */
  calls: Allowance
  /** Usage of the account in this clock minute. */
  testsAndResends: Allowance
  connectionTests: Allowance
  /** Usage of the company in this clock hour. */
  hookRequests: Allowance
  /** Usage of each hook URL in this clock minute. */
  hookRequestsByUrl: (Allowance & { hookUrlId: string; flowId: string; flowName: string })[]
  counts: {
    /** Flows that are published and switched on, including those beyond the plan. */
    flowsOn: Count
    hookUrls: Count
    endpoints: Count
    connections: Count
    aiActions: Count
  }
  /**
   * 30 UTC days, the last one today. Templates and calls are the account's; attempts are the company's, to endpoints
   * that are deleted since too, and not those of tests.
   */
  days: {
    day: string
    automatedTemplates: number
    calls: number
    deliveryAttempts: number
    failedDeliveryAttempts: number
  }[]
}
