import type { Plan } from '../../core/vocabulary/accounts.ts'

/** So many of at most so many; `resetsAt` is an instant of UTC, from which it counts from 0 again. */
export type Allowance = { used: number; limit: number; resetsAt: string }

export type Count = { used: number; limit: number }

/** What a company and its account have used. */
export type UsageView = {
  at: string
  plan: Plan
  /** Of the account and its projects together, this UTC day. */
  automatedTemplates: Allowance & {
    /** Those that sent some today. */
    byCompany: { companyId: string; name: string | null; used: number }[]
  }
  /** The same of calls: of flows, of the assistant and of tests, each attempt counted. */
  calls: Allowance
  /** Of the account, this clock minute. */
  testsAndResends: Allowance
  connectionTests: Allowance
  /** Of the company, this clock hour. */
  hookRequests: Allowance
  /** Of each hook URL, this clock minute. */
  hookRequestsByUrl: (Allowance & { hookUrlId: string; flowId: string; flowName: string })[]
  counts: {
    /** That are published and switched on, also beyond the plan. */
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
