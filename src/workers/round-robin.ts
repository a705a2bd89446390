/**
 * Round-robin by account, and within an account by company. Twenty projects of one account together get the share of
 * one account.
 */

/** Waiting work of a company. */
type OfCompany<Waiting> = { accountId: string; companyId: string; waiting: Waiting }

/**
 * Creates an empty round-robin over accounts and their companies.
 * @param isOver returns whether a company has no more waiting work and is removed
 */
export function createRoundRobin<Waiting>(isOver: (waiting: Waiting) => boolean) {
  /** The first entry of each map has the next turn. */
  const accounts = new Map<string, Map<string, OfCompany<Waiting>>>()

  function remove({ accountId, companyId }: { accountId: string; companyId: string }): void {
    const companies = accounts.get(accountId)
    companies?.delete(companyId)
    if (companies?.size === 0) accounts.delete(accountId)
  }

  /** Moves a company and its account to the end of the round. */
  function moveLast(companies: Map<string, OfCompany<Waiting>>, one: OfCompany<Waiting>): void {
    companies.delete(one.companyId)
    companies.set(one.companyId, one)
    accounts.delete(one.accountId)
    accounts.set(one.accountId, companies)
  }

  return {
    isEmpty: () => accounts.size === 0,
    /** Returns the waiting work of a company, created by `begin` if there is none. */
    of(accountId: string, companyId: string, begin: () => Waiting): Waiting {
      const companies = accounts.get(accountId) ?? new Map<string, OfCompany<Waiting>>()
      const known = companies.get(companyId)
      if (known) return known.waiting
      const waiting = begin()
      companies.set(companyId, { accountId, companyId, waiting })
      accounts.set(accountId, companies)
      return waiting
    },
    /** Returns the waiting work of each company of an account that has any. */
    ofAccount: (accountId: string): Waiting[] =>
      [...(accounts.get(accountId)?.values() ?? [])].map(({ waiting }) => waiting),
    remove,
    /**
     * Calls `take` for the companies in their order. Returns the first result that is not null, after which its
     * company is last.
     */
    next<Taken>(take: (waiting: Waiting) => Taken | null): Taken | null {
      for (const companies of accounts.values()) {
        for (const one of companies.values()) {
          const taken = take(one.waiting)
          if (taken === null) continue
          moveLast(companies, one)
          if (isOver(one.waiting)) remove(one)
          return taken
        }
      }
      return null
    },
  }
}
