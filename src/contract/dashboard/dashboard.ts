/** What a browser has to know before anybody is signed in. */
export type DashboardView = {
  /** Of the dashboard that is served now, as in the page's `wasla-version`; null while there is none. */
  version: string | null
  /** Nobody can sign in yet: the first Owner is made with the token that the start printed. */
  needsSetUp: boolean
  /** The link that the start printed leads into a demonstration. */
  isDemonstration: boolean
  /** Where one is the simulated customers; null where there is no simulator. */
  phonesUrl: string | null
}
