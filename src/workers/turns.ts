/**
 * Whose turn it is: accounts take turns, and within an account its companies do. Twenty projects of one account have
 * together the turns of one account, where others wait.
 */

/** What waits of a company. */
type OfCompany<Waiting> = { accountId: string; companyId: string; waiting: Waiting }

/** @param isOver whether nothing of a company waits any more: it is then forgotten */
export function createTurns<Waiting>(isOver: (waiting: Waiting) => boolean) {
  /** In each map the first is whose turn it is. */
  const accounts = new Map<string, Map<string, OfCompany<Waiting>>>()

  function remove({ accountId, companyId }: { accountId: string; companyId: string }): void {
    const companies = accounts.get(accountId)
    companies?.delete(companyId)
    if (companies?.size === 0) accounts.delete(accountId)
  }

  /** Who has just had a turn is last in the next. */
  function moveLast(companies: Map<string, OfCompany<Waiting>>, one: OfCompany<Waiting>): void {
    companies.delete(one.companyId)
    companies.set(one.companyId, one)
    accounts.delete(one.accountId)
    accounts.set(one.accountId, companies)
  }

  return {
    isEmpty: () => accounts.size === 0,
    /** Returns what waits of a company, made by `begin` where nothing does yet. */
    of(accountId: string, companyId: string, begin: () => Waiting): Waiting {
      const companies = accounts.get(accountId) ?? new Map<string, OfCompany<Waiting>>()
      const known = companies.get(companyId)
      if (known) return known.waiting
      const waiting = begin()
      companies.set(companyId, { accountId, companyId, waiting })
      accounts.set(accountId, companies)
      return waiting
    },
    /** Returns what waits of each company of an account. */
    ofAccount: (accountId: string): Waiting[] =>
      [...(accounts.get(accountId)?.values() ?? [])].map(({ waiting }) => waiting),
    remove,
    /** Asks the companies in their turn. Returns the first that is no null; whose it was has had its turn. */
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
