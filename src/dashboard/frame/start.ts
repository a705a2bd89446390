/** The key under which the browser stores the company that was open last. */
export const LAST_COMPANY = 'wasla.company'
