/** Numbers of the public pages. All ours; source: docs/reference/limits.md, Public pages. */
export const PAGE_LIMITS = {
  /** Of one address: pages that are looked at, and forms that are sent. Many phones share one. */
  viewsPerMinute: 240,
  formsPerMinute: 60,
  /** Of one shop's booking page, by whomever: each view works out what is free. */
  bookingViewsPerMinute: 600,
  /** Of all booking pages of one account. */
  bookingViewsOfAccountPerMinute: 1_200,
  formBytes: 8_192,
  /** Of all forms that are arriving in one process. */
  roomBytes: 2 * 1_048_576,
  /** Days of the booking page that are shown at once. */
  daysShown: 14,
  /** Of an address with its query: a longer one is none of ours. */
  urlChars: 2_000,
  /** Contrast of text, and of what is no text, to what lies behind it (WCAG 2.2, 1.4.3 and 1.4.11). */
  textContrast: 4.5,
  edgeContrast: 3,
} as const
